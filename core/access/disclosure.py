"""Disclosure: which pages a text gives away, and who will read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.pages import PageKey

EVERYBODY = ""  # the audience of a channel


@dataclass(frozen=True)
class Disclosure:
    """What everything that leaves us has to say of itself before it may leave."""

    pages: frozenset[PageKey]
    audience: str = EVERYBODY  # or the principal of the one person who reads it, such as user:ID

    def __or__(self, other: Disclosure) -> Disclosure:
        """Of both texts together, for the same audience."""
        if self.pages and other.pages and self.audience != other.audience:
            raise ValueError("two texts for different readers cannot be one")
        audience = self.audience if self.pages else other.audience
        return Disclosure(self.pages | other.pages, audience)

    def as_json(self) -> dict[str, Any]:
        """To be stored or sent; `read` reads it."""
        return {"pages": sorted(self.pages), "audience": self.audience}


# Of a sentence of ours, or of what people wrote themselves: it gives no page away.
NOTHING = Disclosure(frozenset())


def read(stored: Mapping[str, Any]) -> Disclosure:
    """What `as_json` has written.

    >>> shows = of_pages([PageKey("confluence", "1")], "user:5b")
    >>> read(shows.as_json()) == shows
    True
    """
    pages = (PageKey(source, page_id) for source, page_id in stored["pages"])
    return Disclosure(frozenset(pages), stored["audience"])


def of_pages(pages: Iterable[PageKey], audience: str = EVERYBODY) -> Disclosure:
    return Disclosure(frozenset(pages), audience)
