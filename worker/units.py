"""Evidence in the smallest parts that can be quoted: sentences, list items, code blocks, and the cells of table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.analyze import words
from core.models import Evidence, Hit, Kind

# Not after a number and a dot: "15. November" is a date.
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\d\.)\s+(?=[\"„“(\[]?[A-ZÄÖÜ0-9])|\n+")
_WHOLE = {Kind.CODE, Kind.CHILD_PAGES}  # half a command is worse than none


@dataclass(frozen=True)
class Unit:
    """Something that can be quoted, with the evidence it stands in; `number` is that evidence's place in the prompt."""

    number: int
    hit: Hit
    text: str

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @property
    def cells(self) -> tuple[tuple[str, str], ...]:
        return self.hit.evidence.cells

    @cached_property
    def own_terms(self) -> frozenset[str]:
        return frozenset(words(self.text))

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """Words of title and headings: they say what the unit is about without standing in it."""
        return frozenset(words(" ".join([self.hit.page.title, *self.hit.evidence.heading_path])))


def units(hits: Sequence[Hit]) -> Iterator[Unit]:
    """All that can be quoted from these hits, in their order."""
    for number, hit in enumerate(hits, start=1):
        for text in _texts(hit.evidence):
            yield Unit(number, hit, text)


def _texts(piece: Evidence) -> list[str]:
    if piece.cells:
        return [piece.text]
    if piece.kind in _WHOLE:
        return [piece.raw or piece.text]
    if piece.kind in (Kind.LIST, Kind.TASK, Kind.TABLE):
        return _lines(piece.text)
    return [part.strip() for part in _SENTENCE_END.split(piece.text) if part.strip()]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
