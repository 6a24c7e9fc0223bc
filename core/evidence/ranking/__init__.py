"""How found evidence is put in order: weights, fusion, deduplication."""
