"""A filter condition, and where in the question it stands."""

from __future__ import annotations

from dataclasses import dataclass

from core.question import Field


@dataclass(frozen=True)
class FilterMatch:
    """What the words from `start` to `end` ask for."""

    field: Field
    value: str
    start: int
    end: int
