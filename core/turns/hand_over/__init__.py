"""Hand-over: a question that people are asked to help with."""
