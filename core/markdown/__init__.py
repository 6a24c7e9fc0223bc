"""Markdown of pages and models: read as a tree, and written so that it means nothing but itself."""
