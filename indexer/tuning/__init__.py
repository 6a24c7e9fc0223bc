"""Tuning: weights of the search chosen on the operator's own pages."""
