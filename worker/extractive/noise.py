"""Noise: sentences that stand on pages and answer nothing, so that they are quoted last."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from core import grammar
from core.evidence.lexical.analyzer import words
from core.evidence.spans import Span
from core.models import Evidence, Kind
from core.question import Completed, QuestionKind

Boilerplate = Callable[[str], bool]  # whether a sentence stands at the edges of many pages

FEWEST = 2  # words of a sentence that can say something
LEADING = 0.8  # of a list's items that name other pages, from which it only leads there
_BYLINE = re.compile(rf"\W*{grammar.merged().answers.bylines}", re.IGNORECASE)
# "subpages", "Unterseiten"; not all words for pages: "minutes" and "parts" are something else, too.
_PAGES = re.compile(rf"{grammar.merged().composing.pages.page}\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[[^\]]*\]|\w+://\S+")  # what a macro or an image left
_WORD = re.compile(r"\w+")


def never(_sentence: str) -> bool:
    """For pages of which nothing is known."""
    return False


def is_noise(span: Span, asked: Collection[str], boilerplate: Boilerplate) -> bool:
    """Of prose alone: a row, an item or code of few words may be the very answer.

    A byline answers who asks in its words: who owns a page, when it was updated.
    """
    if span.is_row or span.hit.evidence.kind is not Kind.PASSAGE:
        return False
    byline = _BYLINE.match(span.text)
    if byline:
        return set(words(byline[0])).isdisjoint(asked)
    is_fragment = len(_WORD.findall(span.text)) < FEWEST
    return is_fragment or _is_placeholder(span.text) or boilerplate(span.text)


def is_index(piece: Evidence) -> bool:
    """Whether it is nothing but titles of other pages."""
    return piece.kind is Kind.CHILD_PAGES


def leads_elsewhere(piece: Evidence, completed: Completed) -> bool:
    """Whether it is a list of other pages, and neither pages nor a list are asked for.

    It may say something beside their titles.
    """
    if completed.kind is QuestionKind.LIST or _PAGES.search(completed.question):
        return False
    items = [item for item in piece.items if item.depth >= 0]
    return is_index(piece) or (len(items) > 1 and len(piece.names) >= LEADING * len(items))


def says_nothing(sentence: str) -> bool:
    """A byline, or what is left of an image or a macro.

    >>> says_nothing("Last updated by Ann on 3 May"), says_nothing("Info: [image: logo.png]")
    (True, True)
    >>> says_nothing("The gate opens at six.")
    False
    """
    return _BYLINE.match(sentence) is not None or _is_placeholder(sentence)


def _is_placeholder(sentence: str) -> bool:
    rest, placeholders = _PLACEHOLDER.subn("", sentence)
    return placeholders > 0 and len(_WORD.findall(rest)) < FEWEST
