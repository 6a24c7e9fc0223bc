"""Tuning the ranking weights to an operator's own pages."""
