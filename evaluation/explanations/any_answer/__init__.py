"""`python -m evaluation explain`: explanations of answers that any other program has given."""
