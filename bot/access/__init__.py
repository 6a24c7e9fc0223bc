"""Who may ask, and who may decide for a channel."""
