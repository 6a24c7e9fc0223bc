"""Rules that tell whether a generated question makes sense without a conversation."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from core.evidence.lexical.analyzer import content_words
from core.evidence.lexical.index import LexicalIndex

FEWEST_WORDS = 4
# Of all pieces: a term that stands in more of them does not say which page is meant.
RARE_SHARE = 0.01
RARE_AT_LEAST = 3  # pieces; in a small index one page alone has as many

_POINTS_AT_PAGE = re.compile(
    r"\b(?:(?:this|that|the (?:above|following|present))\s+"
    r"(?:page|document|section|table|list|article|text|passage|row|step)"
    r"|(?:mentioned|described|listed|shown) (?:above|below|here)"
    r"|(?:dies\w*|vorliegend\w*|obig\w*|folgend\w*)\s+"
    r"(?:seite|dokument|abschnitt|tabelle|liste|artikel|text|zeile|schritt)\w*"
    r"|(?:oben|unten|hier) (?:genannt|beschrieben|aufgeführt|erwähnt)\w*)\b",
    re.IGNORECASE,
)
# `es` and `that` are left out: they mostly point at nothing ("gibt es", "the day that …").
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|him|this|these|those|there"
    r"|er|sie|ihn|ihm|ihnen|dies\w?|dieser|dieses|dort|davon|dafür|darin)\b"
)


class Fault(StrEnum):
    """Why a question is not asked."""

    NO_QUESTION = "is no question"
    TOO_SHORT = "is too short"
    POINTS_AT_PAGE = "points at its page"
    POINTS_BACK = "points back at nothing"
    NOTHING_RARE = "has no telling word"
    TWICE = "was asked of another page too"


def fault_of(question: str, is_rare: Callable[[str], bool]) -> Fault | None:
    """The first rule that the question breaks; None when it can be asked.

    >>> fault_of("When was it released?", lambda term: True)
    <Fault.POINTS_BACK: 'points back at nothing'>
    >>> fault_of("How long is a pass valid after it was lost?", lambda term: term == "pass") is None
    True
    """
    if not question.endswith("?") or "\n" in question:
        return Fault.NO_QUESTION
    if len(question.split()) < FEWEST_WORDS:
        return Fault.TOO_SHORT
    if _POINTS_AT_PAGE.search(question):
        return Fault.POINTS_AT_PAGE
    if not any(map(is_rare, content_words(question))):
        return Fault.NOTHING_RARE
    return Fault.POINTS_BACK if _points_back(question, is_rare) else None


def _points_back(question: str, is_rare: Callable[[str], bool]) -> bool:
    """Whether a pronoun has no rare word before it: its noun is elsewhere, or on the page."""
    lowered = question[0].lower() + question[1:]  # later a capital `Sie` is the person who is asked
    pronoun = _POINTS_BACK.search(lowered)
    if pronoun is None:
        return False
    return not any(map(is_rare, content_words(question[: pronoun.start()])))


def rare_in(lexical: LexicalIndex) -> Callable[[str], bool]:
    """Which index terms are rare in this index."""
    most = max(RARE_AT_LEAST, int(RARE_SHARE * lexical.size()))
    return lambda term: 0 < lexical.document_frequency(term) <= most
