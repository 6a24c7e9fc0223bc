"""A recipe: a small model tuned on exported pairs, to see that they teach what they should."""
