"""The open headings during the walk, and their anchors, which Confluence uses in deep links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from indexer.parse.document import marks
from indexer.parse.document.marks import briefly

PSEUDO_LEVEL = 7  # under every real heading
LONGEST_ANCHOR = 2_000  # characters
_SPACE = r"\s+"
AnchorOf = Callable[[str], str]  # a heading's id on its page, before repeated ones are counted


def as_in_cloud(heading: str) -> str:
    """As the new editor's pages have it: each white space is a dash.

    https://www.npmjs.com/package/@atlaskit/renderer, `getHeadingId`

    >>> as_in_cloud("On call")
    'On-call'
    """
    return re.sub(_SPACE, "-", heading.strip())


def as_in_datacenter(page_title: str, name: str) -> str:
    """Behind the page's title, both without white space; headings and anchors alike.

    https://confluence.atlassian.com/doc/anchor-macro-139514.html

    >>> as_in_datacenter("Harbour runbook", "On call")
    'Harbourrunbook-Oncall'
    """
    return f"{re.sub(_SPACE, '', page_title)}-{re.sub(_SPACE, '', name)}"


class Anchors:
    """The ids of the headings of one page, in cells too: a repeated one gets .1, .2 and so on."""

    def __init__(self, anchor_of: AnchorOf) -> None:
        self._anchor_of = anchor_of
        self._taken: set[str] = set()
        self._repeated: dict[str, Iterator[int]] = {}

    def of(self, name: str) -> str:
        """The id of an anchor that an author has set: as it was written, where the site does so."""
        return name if self._anchor_of is as_in_cloud else self._anchor_of(name)

    def claim(self, heading: str) -> str:
        """The id of the next heading of the page; one without words has none."""
        plain = marks.without(heading)
        anchor = first = self._anchor_of(plain) if plain.strip() else ""
        while anchor and anchor in self._taken:
            anchor = f"{first}.{next(self._repeated.setdefault(first, count(1)))}"
        self._taken.add(anchor)
        return anchor


@dataclass
class Heading:
    """An open heading; `used` once something is under it."""

    level: int
    text: str
    used: bool = False


class Headings:
    """The stack of open headings."""

    def __init__(self, anchors: Anchors) -> None:
        self.open: list[Heading] = []
        self.anchor = ""
        self._anchors = anchors

    def set_here(self, name: str) -> None:
        """An anchor that an author has put between headings."""
        self.anchor = self._anchors.of(name)

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
        self.open.append(Heading(level, briefly(text)))
        if level < PSEUDO_LEVEL:
            anchor = self._anchors.claim(text)
            # Each piece keeps it; a link as long as a page would lead nowhere.
            self.anchor = anchor if len(anchor) <= LONGEST_ANCHOR else ""

    def pop_unused(
        self,
        level: int,
        keep: int = 0,
    ) -> Iterator[str]:
        """Close the headings of this level and below, except the outermost `keep`.

        Yields those with nothing under them, each once.
        """
        while len(self.open) > keep and self.open[-1].level >= level:
            heading = self.open.pop()
            if not heading.used:
                heading.used = True
                yield heading.text
