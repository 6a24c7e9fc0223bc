"""The open headings during the walk, and their anchors, which Confluence uses in deep links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from indexer.parse.document import marks

PSEUDO_LEVEL = 7  # under every real heading


@dataclass
class Heading:
    """An open heading; `used` once something is under it."""

    level: int
    text: str
    used: bool = False


class Headings:
    """The stack of open headings."""

    def __init__(self) -> None:
        self.open: list[Heading] = []
        self.anchor = ""
        self._seen: dict[str, int] = {}

    @property
    def path(self) -> tuple[str, ...]:
        """The texts of the open headings, outermost first."""
        return tuple([heading.text for heading in self.open])

    def use(self) -> None:
        """Mark the open headings as used."""
        for heading in self.open:
            heading.used = True

    def push(self, text: str, level: int) -> None:
        """Open a heading; a pseudo-heading has no id on the page."""
        self.open.append(Heading(level, text))
        if level < PSEUDO_LEVEL:
            self.anchor = self._id(text)

    def pop_unused(
        self,
        level: int,
        keep: int = 0,
    ) -> Iterator[str]:
        """Close the headings of this level and below, except the outermost `keep`.

        Yields those with nothing under them.
        """
        while len(self.open) > keep and self.open[-1].level >= level:
            heading = self.open.pop()
            if not heading.used:
                yield heading.text

    def _id(self, text: str) -> str:
        """Whitespace becomes a dash; a repeated heading gets .1, .2 and so on."""
        anchor = re.sub(r"\s+", "-", marks.without(text))
        count = self._seen.get(anchor, 0)
        self._seen[anchor] = count + 1
        return f"{anchor}.{count}" if count else anchor
