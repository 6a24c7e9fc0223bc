"""Which pieces of evidence say the same and are removed together."""
