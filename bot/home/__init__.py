"""Queries for the Home tab: the conversations of one person, and what is indexed."""
