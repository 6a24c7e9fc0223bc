"""Compares the texts of two pieces: do their words say the same, or contradict each other?

Vectors see neither well. A date line in front moves a paragraph further than another name in its
middle does, and in a long passage a number or a `not` moves it hardly at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.evidence.ranking.deduplicate import FEWEST, telling, words_of
from core.models import Evidence, Kind
from core.structure import ListItem

# Words at most of a line in front of a text, or behind it, that is not part of what it says.
EDGE = 12

# A task that is done contradicts the same task that is open.
_TASKS = {"[ ] ": "open", "[x] ": "done"}
_SENTENCE_END = (".", "!", "?", "…", ":")


def plain(text: str) -> str:
    """What a text says, without case and punctuation.

    >>> plain("Stop the gateway.") == plain("stop the gateway")
    True
    """
    return " ".join(words_of(text))


def said(piece: Evidence) -> str:
    """What a piece says, however it is written: without bullets, and without the place of a row.

    >>> item = ListItem(text="Stop it", mark="1. ")
    >>> said(Evidence(id="", page_id="", kind=Kind.LIST, text="1. Stop it", items=(item,)))
    'Stop it'
    """
    if piece.items:
        return "\n".join(map(_said_by, piece.items))
    if piece.cells:
        cells = (f"{name} is {value}" for name, value in piece.cells if value)
        return ", and ".join(cells)
    return piece.text


def _said_by(item: ListItem) -> str:
    return f"{_TASKS.get(item.mark, '')} {item.text}".strip()


@dataclass(frozen=True)
class ComparedText:
    """A text as it is compared."""

    text: str
    # Only prose has a heading or date line in front or behind: a line of a table or list counts.
    is_prose: bool = True

    @classmethod
    def by(cls, piece: Evidence) -> ComparedText:
        return cls(said(piece), piece.kind is Kind.PASSAGE)

    @cached_property
    def plain(self) -> str:
        return plain(self.text)

    @cached_property
    def telling(self) -> frozenset[str]:
        return telling(self.plain.split())

    @cached_property
    def cores(self) -> frozenset[str]:
        """The text, also without a first or last line that is no sentence: a heading, a date."""
        return frozenset(self._cores())

    def _cores(self) -> Iterator[str]:
        yield self.plain
        lines = [line for line in self.text.splitlines() if line.strip()]
        if self.is_prose and len(lines) > 1:
            for edge, rest in ((lines[0], lines[1:]), (lines[-1], lines[:-1])):
                core = plain("\n".join(rest))
                if _stands_apart(edge) and len(core.split()) >= FEWEST:
                    yield core


def say_the_same(one: ComparedText, other: ComparedText) -> bool:
    """Whether the words are the same, but for a line in front of one or behind it."""
    return one.plain in other.cores or other.plain in one.cores


def differ(one: ComparedText, other: ComparedText) -> bool:
    """Whether they differ in a number or a negation."""
    return one.telling != other.telling and not say_the_same(one, other)


def _stands_apart(line: str) -> bool:
    words = words_of(line)
    has_negation = not all(any(map(str.isdigit, word)) for word in telling(words))
    return len(words) <= EDGE and not line.rstrip().endswith(_SENTENCE_END) and not has_negation
