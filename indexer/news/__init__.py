"""News: pages that are read again before the next sync, because somebody said they changed."""
