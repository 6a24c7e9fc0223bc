"""Editions: what is said of another version than is asked for, or by a page that counts no more.

The firmware of the tests of 6.0 is no answer to who asks for those of 7.0, although their page has
all of the question's other words; and the figure of a draft must not stand before that of the page
that counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
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


class Sections(NamedTuple):
    """Sections of pages: the headings above them, and none of what is a page as a whole."""

    paths: Mapping[PageKey, Sequence[tuple[str, ...]]]

    def have(self, hit: Hit) -> bool:
        """Whether it stands in one, or in a section of it."""
        above = hit.evidence.heading_path
        paths = self.paths.get(hit.page.key, ())
        return any(above[: len(path)] == path for path in paths)


def unsettled(completed: Completed, hits: Sequence[Hit]) -> Sections:
    """Drafts, copies and what says of itself that it is outdated, unless somebody asks for it."""
    found: dict[PageKey, list[tuple[str, ...]]] = defaultdict(list)
    for hit in hits:
        if is_unsettled(hit.page):
            found[hit.page.key].append(())
    for _, hit in notices(hits):
        is_of_page = not hit.evidence.position
        found[hit.page.key].append(() if is_of_page else hit.evidence.heading_path)
    pages = {hit.page.key: hit.page for hit in hits}
    asked = [key for key in found if asks_for_unsettled(completed.text, pages[key])]
    return Sections({key: paths for key, paths in found.items() if key not in asked})


def notices(hits: Sequence[Hit]) -> list[tuple[int, Hit]]:
    """What says that its page, or its section, is outdated, each with its number."""
    numbered = enumerate(hits, start=1)
    return [each for each in numbered if _is_notice(each[1].evidence)]


def _is_notice(piece: Evidence) -> bool:
    """A row says it of itself."""
    return piece.kind is not Kind.ROW and says_outdated(piece.text)
