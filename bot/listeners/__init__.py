"""Listeners of Slack's events and buttons: saved and enqueued before they are acknowledged."""
