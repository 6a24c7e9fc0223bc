"""A packaged multilingual encoder, on which readers of ours are trained."""
