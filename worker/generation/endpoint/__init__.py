"""Calls of a chat model's endpoint: what is sent, how long is waited, how the reply is read."""
