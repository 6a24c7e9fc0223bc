"""How well pages are found."""
