"""Buttons and the form of hand-overs."""
