"""How the question encoder of `core/embeddings` is trained, and how near questions come by it."""
