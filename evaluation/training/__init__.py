"""Trains readers on the packaged encoder, of evidence and of messages: what they share."""
