"""Questions and what came of them: turns, explanations, votes, and what is erased."""
