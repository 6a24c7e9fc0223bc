"""A packaged multilingual encoder: readers of messages and of evidence are trained on it."""
