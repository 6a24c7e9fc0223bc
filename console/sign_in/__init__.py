"""Signing in to the console with Slack, for those whom the operator has named."""
