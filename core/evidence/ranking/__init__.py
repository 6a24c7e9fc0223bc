"""Ranking of found evidence: weights, fusion, deduplication."""
