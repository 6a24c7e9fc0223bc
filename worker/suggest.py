"""Suggests follow-up questions that the evidence can answer."""

from __future__ import annotations

from collections.abc import Sequence

from core.access import Reader
from core.models import Answer, Completed
from worker.complete import Past


class Suggester:
    """An answered question in, two or three questions out."""

    def suggest(self, completed: Completed, answer: Answer, history: Sequence[Past], reader: Reader) -> tuple[str, ...]:
        raise NotImplementedError
