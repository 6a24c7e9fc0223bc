"""Editions: what is said of another version than is asked for, or by a page that counts no more.

The firmware of the tests of 6.0 is no answer to who asks for those of 7.0, although their page has
all of the question's other words; and the figure of a draft must not stand before that of the page
that counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.evidence.lexical.page_status import asks_for_unsettled, is_unsettled, says_outdated
from core.evidence.spans import Span
from core.models import Evidence, Hit, Kind
from core.pages import PageKey
from core.question import Completed

# "7.0", "v1.8.3", "version 5"; not a date, and no figure with a unit of letters.
_VERSION = re.compile(
    r"(?<![\w.,-])(?:(?:version|release|v)\s?(\d+)(?![\w.,]\d)|v?(\d+(?:\.\d+)+))(?!\w|[.,]\d)",
    re.IGNORECASE,
)


def is_of_another(span: Span, question: str) -> bool:
    """Whether the span's title and headings name versions, and none that the question names."""
    asked = _versions(question)
    if not asked:
        return False
    named = _versions(" ".join([span.hit.page.title, *span.hit.evidence.heading_path]))
    return bool(named) and not any(_is_same(one, other) for one in asked for other in named)


def _versions(text: str) -> set[tuple[str, ...]]:
    return {tuple((one or other).split(".")) for one, other in _VERSION.findall(text)}


def _is_same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """`6` may be `6.0.1`."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


class Unsettled(NamedTuple):
    """Pages that do not count, and what says of its page or section that it is outdated."""

    pages: frozenset[PageKey]
    notices: tuple[Hit, ...]

    def has(self, hit: Hit) -> bool:
        path = hit.evidence.heading_path
        return hit.page.key in self.pages or any(
            concerns(notice, hit.page.key, path) for notice in self.notices
        )


def unsettled(completed: Completed, hits: Sequence[Hit]) -> Unsettled:
    """Drafts, copies and what is outdated, unless somebody asks for it; some say so themselves."""
    others = [hit for hit in hits if not asks_for_unsettled(completed.text, hit.page)]
    pages = frozenset(hit.page.key for hit in others if is_unsettled(hit.page))
    return Unsettled(pages, tuple(hit for _, hit in notices(others)))


def concerns(notice: Hit, page: PageKey, path: tuple[str, ...]) -> bool:
    """Whether it is said of what stands below these headings of a page.

    Of all of the page where it begins it, else of its own section and those below it.
    """
    above = notice.evidence.heading_path
    is_below = path[: len(above)] == above if above else not path
    return notice.page.key == page and (not notice.evidence.position or is_below)


def notices(hits: Sequence[Hit]) -> list[tuple[int, Hit]]:
    """What says that its page, or its section, is outdated, each with its number."""
    numbered = enumerate(hits, start=1)
    return [each for each in numbered if _is_notice(each[1].evidence)]


def _is_notice(piece: Evidence) -> bool:
    """A row says it of itself."""
    return piece.kind is not Kind.ROW and says_outdated(piece.text)
