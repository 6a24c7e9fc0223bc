"""Query understanding: query expansion and spelling correction."""
