"""What a parsed page is made of, and the walk that makes it."""
