"""Finds what a question says in plain language about the pages it wants: when they changed, whose they are, where they stand."""

from __future__ import annotations

from core.access import Reader
from core.models import Completed, Condition, Usage


class Filters:
    """Question in, conditions out."""

    def find(self, completed: Completed, reader: Reader, *, deadline: float) -> tuple[tuple[Condition, ...], Usage]:
        raise NotImplementedError
