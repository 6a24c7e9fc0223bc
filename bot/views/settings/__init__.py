"""The settings modal of a channel or of a person: its owner, its fields, its values."""
