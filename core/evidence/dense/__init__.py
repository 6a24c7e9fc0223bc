"""Search by meaning: vectors in Chroma, a cache of what SQL holds."""
