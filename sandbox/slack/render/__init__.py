"""Renders messages: HTML for the workspace page, plain text for the terminal; pure functions."""
