"""What a question is searched by: query expansion and spelling correction."""
