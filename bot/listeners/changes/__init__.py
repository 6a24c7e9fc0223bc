"""What becomes of a message after it was sent: it is edited, or deleted."""
