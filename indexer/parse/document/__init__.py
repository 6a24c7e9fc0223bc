"""What a parsed page is made of (blocks), and the walk that makes it."""
