"""Slack's Web API, a module for each family of methods."""
