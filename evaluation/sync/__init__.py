"""What parsing and syncing cost."""
