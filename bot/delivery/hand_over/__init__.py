"""Asks people to help with a question, once, and shows what became of it."""
