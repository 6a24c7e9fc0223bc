"""The follow-up questions of one answer, apart from it: they may be ready later."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.models import Record
from core.pages import PageKey
from core.usage import Usage


@dataclass(frozen=True)
class Suggested:
    """Questions, what each gives away, and what it took to find them."""

    texts: tuple[str, ...] = ()
    shows: tuple[tuple[PageKey, ...], ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def pages(self) -> frozenset[PageKey]:
        """All that they give away."""
        return frozenset[PageKey]().union(*self.shows)

    def on(self, record: Record) -> Record:
        """The record with them under its answer."""
        changes = {
            "answer": record.answer.model_copy(update={"suggestions": self.texts}),
            "suggested": self.shows,
            "usage": record.usage + self.usage,
            "seconds": record.seconds | self.seconds,
        }
        return record.model_copy(update=changes)
