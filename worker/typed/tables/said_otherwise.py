"""What stands around a table and says otherwise: a heading that denies it, a later sentence.

A table says what held when it was written. *Since May the limit is 75* below it, or *switched off*
above it, makes nothing of its cells wrong to quote, and nothing of them certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core import grammar
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.models import Evidence, Hit, Kind
from core.pages import PageKey
from worker.typed.asked import content, whole_terms, without_brackets

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.composing
_ANNULLED = re.compile(rf"\b{_WORDS.annulled}(?!\w)", re.IGNORECASE)
_DENIED = re.compile(rf"\b(?:{_WORDS.limits}|{_GRAMMAR.negation.words})(?!\w)", re.IGNORECASE)
_CHANGING = re.compile(rf"\b(?:{_WORDS.changing}|{_WORDS.annulled})(?!\w)", re.IGNORECASE)


def is_annulled(texts: Iterable[str]) -> bool:
    """Whether a heading or a cell says that this is no more, or not yet."""
    return any(map(_ANNULLED.search, texts))


def is_denied(headings: Sequence[str]) -> bool:
    """Whether a heading says so, or names what the things below it are not."""
    return is_annulled(headings) or any(map(_DENIED.search, headings))


def changes(text: str) -> list[str]:
    """The sentences of a text that speak of what has changed, or will."""
    return [sentence for sentence in SENTENCE_END.split(text) if _CHANGING.search(sentence)]


def changes_on(page: PageKey, hits: Sequence[Hit]) -> tuple[str, ...]:
    """What was found of a page beside its tables and speaks of a change."""
    return tuple(sentence for text in prose_on(page, hits) for sentence in changes(text))


def prose_on(page: PageKey, hits: Sequence[Hit]) -> list[str]:
    """The sentences that were found of a page beside its tables; items end where lines do."""
    found = (hit for hit in hits if hit.page.key == page and _is_prose(hit))
    lines = (line for hit in found for line in hit.evidence.text.splitlines())
    return [sentence for line in lines for sentence in SENTENCE_END.split(line)]


def behind(piece: Evidence) -> str:
    """The beginning of the prose that follows a table or list; empty where none does."""
    return "" if piece.after.table is not None else piece.after.text


def speaks_of(sentences: Iterable[str], cells: Iterable[str]) -> bool:
    """Whether one of the sentences has all words of one of these cells."""
    wanted = [set(whole_terms(without_brackets(cell))) for cell in cells]
    said = [set(whole_terms(sentence)) for sentence in sentences]
    return any(terms and terms <= sentence for terms in wanted for sentence in said)


def shares_a_word(sentence: str, cells: Iterable[str]) -> bool:
    """Whether a sentence has a telling word of one of these cells."""
    said = set(content(sentence))
    return any(not said.isdisjoint(content(cell)) for cell in cells)


def _is_prose(hit: Hit) -> bool:
    return hit.evidence.kind in (Kind.PASSAGE, Kind.LIST)
