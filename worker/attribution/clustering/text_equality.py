"""What can be said of two texts by their words alone: that they say the same, or that they do not.

Vectors see neither well. A date line in front moves a paragraph further than another name in its middle does, and in a long passage a
number or a `not` moves it hardly at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.evidence.ranking.deduplicate import FEWEST, telling, words_of
from core.models import Evidence, Kind

EDGE = (
    12  # words at most of a line in front of a text, or behind it, that is not part of what it says
)

_PLACE = re.compile(
    r"^Row \d+ in Table \d+(?=[:, (])"
)  # of a row: where it stands is not what it says
_BULLET = re.compile(r"^[ \t]*(?:[-•*]|\d+[.)])[ \t]+", re.MULTILINE)
_OPEN_TASK, _DONE_TASK = (
    re.compile(r"^\s*\[ \]", re.MULTILINE),
    re.compile(r"^\s*\[x\]", re.MULTILINE),
)
_SENTENCE_END = (".", "!", "?", "…", ":")


def plain(text: str) -> str:
    """What a text says without the way it is written: no case, punctuation or bullets, and no number of a row.

    >>> plain("1. Stop the gateway.\\n2. Wait!") == plain("- Stop the gateway\\n- wait")
    True
    """
    lines = _PLACE.sub("", _DONE_TASK.sub("done", _OPEN_TASK.sub("open", text)))
    return " ".join(words_of(_BULLET.sub("", lines)))


@dataclass(frozen=True)
class ComparedText:
    """A text as it is compared."""

    text: str
    is_prose: bool = True  # only prose has a line of its own in front or behind: a line of a table or a list says something

    @classmethod
    def by(cls, piece: Evidence) -> ComparedText:
        return cls(piece.text, piece.kind is Kind.PASSAGE)

    @cached_property
    def plain(self) -> str:
        return plain(self.text)

    @cached_property
    def telling(self) -> frozenset[str]:
        return telling(self.plain.split())

    @cached_property
    def cores(self) -> frozenset[str]:
        """The text, and what is left of it without a line in front or behind that is no sentence: a heading, a date, a name."""
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
    has_negation = any(not any(map(str.isdigit, word)) for word in telling(words))
    return (
        len(words) <= EDGE
        and not line.rstrip().endswith(_SENTENCE_END)
        and not _BULLET.match(line)
        and not has_negation
    )
