"""Rooms of the console: each takes a visit and shows a page."""
