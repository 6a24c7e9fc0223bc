"""Corpora for measuring retrieval that no rule of the search was written for."""
