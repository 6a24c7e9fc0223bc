"""Threads in Slack: what is said in them, by people and by us."""
