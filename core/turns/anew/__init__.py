"""Turns that are answered anew: after an edit of the question, and when that is possible again."""
