"""Evidence for one reader: found, expanded, reranked, and confirmed with its source."""
