"""Openings: what a page says first, for a question that asks only what the thing of its title is.

"What was INC-118?" matches every piece of that page by its title alone, so chance would decide
which one is found. What sums the page up answers it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.evidence.lexical.analyzer import asked, content_words
from core.models import Evidence, Hit, Kind, Page

HALF = 0.5  # of a title's words that name its thing

_SAID = grammar.merged().answers
_ASKS_WHAT = re.compile(rf"\W*(?:{_SAID.asks_what})\b", re.IGNORECASE)
_SUMMARIES = frozenset(_SAID.summaries)
_EXPLAINED = re.compile(r":\s|\s[–—-]\s|\s\(")  # behind it a title says more about its thing


def asks_what_it_is(question: str, page: Page) -> bool:
    """Whether a question asks what the thing of this title is, and nothing else of it."""
    begins = _ASKS_WHAT.match(question)
    if not begins:
        return False
    thing, title = question[begins.end() :], _EXPLAINED.split(page.title)[0]
    is_named = 0 < len(asked(thing)) >= HALF * len(asked(title))
    return is_named and set(content_words(thing)) <= set(content_words(title))


def is_opening(piece: Evidence) -> bool:
    """Whether it stands below a heading such as Summary, or above all headings."""
    if piece.kind is not Kind.PASSAGE:
        return False
    return not piece.heading_path or piece.heading_path[-1].lower() in _SUMMARIES


def sums_up(hit: Hit, question: str) -> bool:
    """Whether the hit is the opening of the page that the question asks about."""
    return is_opening(hit.evidence) and asks_what_it_is(question, hit.page)


def opening(pieces: Sequence[Evidence]) -> Evidence | None:
    """What sums a page up; else its first passage, if no heading stands above it."""
    openings = list(filter(is_opening, pieces))
    summaries = [piece for piece in openings if piece.heading_path]
    return next(iter(summaries or openings), None)
