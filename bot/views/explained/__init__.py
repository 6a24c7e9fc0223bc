"""An explanation for people: which pages decided the answer, what else would have been said."""
