"""Text on its way to people and models: citations, sanitizing, tokens."""
