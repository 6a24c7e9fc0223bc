"""Causal attribution: the experiment, its budget, what it showed, and that as an explanation."""
