"""Access control: who may be shown a page, asked of its source as it is now."""
