"""Sets of questions: read, posed, generated."""
