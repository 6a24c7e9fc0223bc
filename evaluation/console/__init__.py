"""Processor time of the console's rooms over a database full of made-up questions."""
