"""Trains the reader of claims: examples of what texts say and do not say, and the training."""
