"""What the measures share: an index of its own, intervals, overlap of words."""
