"""Noise: sentences that stand on pages and answer nothing, so that they are quoted last."""

from __future__ import annotations

import re
from collections.abc import Callable

from core import grammar
from core.evidence.spans import Span
from core.models import Kind

Boilerplate = Callable[[str], bool]  # whether a sentence stands at the edges of many pages

FEWEST = 2  # words of a sentence that can say something
_BYLINE = re.compile(rf"\W*{grammar.merged().answers.bylines}", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[[^\]]*\]|\w+://\S+")  # what a macro or an image left
_WORD = re.compile(r"\w+")


def never(_sentence: str) -> bool:
    """For pages of which nothing is known."""
    return False


def is_noise(span: Span, boilerplate: Boilerplate) -> bool:
    """Of prose alone: a row, an item or code of few words may be the very answer."""
    if span.is_row or span.hit.evidence.kind is not Kind.PASSAGE:
        return False
    is_fragment = len(_WORD.findall(span.text)) < FEWEST
    return is_fragment or says_nothing(span.text) or boilerplate(span.text)


def says_nothing(sentence: str) -> bool:
    """A byline, or what is left of an image or a macro.

    >>> says_nothing("Last updated by Ann on 3 May"), says_nothing("Info: [image: logo.png]")
    (True, True)
    >>> says_nothing("The gate opens at six.")
    False
    """
    if _BYLINE.match(sentence):
        return True
    rest, placeholders = _PLACEHOLDER.subn("", sentence)
    return placeholders > 0 and len(_WORD.findall(rest)) < FEWEST
