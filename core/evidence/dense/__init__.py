"""Search by meaning: vectors in a vector store, a cache of what SQL holds."""
