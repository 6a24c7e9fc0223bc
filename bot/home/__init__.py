"""What the Home tab shows that no other program needs: conversations of one person, and what is indexed."""
