"""Answers by a model: the chat client, abstention, confidence."""
