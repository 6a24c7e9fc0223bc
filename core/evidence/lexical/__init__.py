"""Search by words: an exact BM25F index of all pieces and pages, in memory."""
