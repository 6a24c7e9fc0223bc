"""Counterfactual attribution: leave evidence out, answer again, and see how the answer changes."""
