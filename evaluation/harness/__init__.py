"""What the measures share: an index, progress, output, confidence intervals, word overlap."""
