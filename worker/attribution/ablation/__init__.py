"""Answers without some of the evidence: what is removed, and the model calls."""
