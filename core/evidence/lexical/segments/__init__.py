"""Segments of the lexical index: arrays that never change, in memory or mapped from a file."""
