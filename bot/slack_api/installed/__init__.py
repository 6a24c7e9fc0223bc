"""Installations: the workspaces in which the app is installed, and the tokens for each."""
