"""What a question asks for: each kind gets its own instructions and its own number of evidence."""

from __future__ import annotations

from core.models import Completed, QuestionKind


def route(completed: Completed) -> QuestionKind:
    """The kind of a question, by rules: asking a model for it would cost everybody a second."""
    del completed
    return QuestionKind.FACTOID
