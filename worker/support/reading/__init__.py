"""Reading of claims: a sentence of an answer, beside the passage that lies nearest to it."""
