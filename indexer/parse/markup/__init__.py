"""Storage format as an element tree, repaired where it is not well-formed."""
