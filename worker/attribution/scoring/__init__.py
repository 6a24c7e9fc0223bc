"""Explanations by scores: how likely the saved answer is without some of the evidence."""
