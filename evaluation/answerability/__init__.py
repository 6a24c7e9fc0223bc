"""Answerability: what is refused when no page answers, and how often a badge is right."""
