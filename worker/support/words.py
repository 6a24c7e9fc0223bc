"""Content words of a text, and which of them another text has, in this or another form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core import grammar
from core.evidence.lexical.analyzer import STOP, terms_of, written

_NOT_CONTENT = grammar.merged().support
_FUNCTION = re.compile(
    rf"(?:{_NOT_CONTENT.negations}|{_NOT_CONTENT.clauses}|{_NOT_CONTENT.ranges})", re.IGNORECASE
)
LEAST_IN_COMPOUND = 5  # letters of a word inside another one: Arbeitstag
SHARED = 0.7  # of the shorter word, at its beginning: genehmigen and genehmigt
LEAST_SHARED = 4  # letters


def content(text: str) -> Iterator[str]:
    """The words that carry meaning, as index terms; numbers are compared by themselves."""
    for word in written(text):
        plain = word.lower()
        is_number = len(word) == 1 or word[0].isdigit()
        if not (is_number or plain in STOP or _FUNCTION.fullmatch(plain)):
            yield terms_of(word)[0]


def is_covered(word: str, words: Collection[str]) -> bool:
    """Whether one of the words is this one, inflected, or in a compound with it.

    >>> is_covered("arbeitstagen", {"tag", "arbeitstag"}), is_covered("hotel", {"hostel"})
    (True, False)
    """
    return word in words or any(_is_alike(word, other) for other in words)


def _is_alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= LEAST_IN_COMPOUND and shorter in longer:
        return True
    if one[:LEAST_SHARED] != other[:LEAST_SHARED]:
        return False  # most words, so that this costs little
    shared = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        shared += 1
    return shared >= max(LEAST_SHARED, SHARED * len(shorter)) and shared >= 0.5 * len(longer)
