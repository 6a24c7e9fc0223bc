"""Answers without a model: spans of the evidence, chosen and quoted."""
