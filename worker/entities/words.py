"""Words as mentions are compared: without case and diacritics, and without the endings that German and English hang on them.

Not the stems of core.evidence.lexical.analyzer: those meet as many words as they can, these as few as genitive and plural need.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core import organization_terms

CONNECTORS = frozenset({"and", "und"})  # as good as an ampersand
SHORTEST = 4  # letters that an ending must leave
_ENDINGS = ("es", "en", "s", "n", "e")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_BEFORE = re.compile(r"(?:^|[.!?:]\s)[\s\W]*$")
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d"})


@dataclass(frozen=True)
class NameWord:
    """One word of a question or a name."""

    text: str  # as written
    stem: str
    first: bool = False  # of a sentence, where a capital says nothing

    @property
    def unit(self) -> str:
        """The part of an organization that the word means, if it does."""
        return organization_terms.unit(self.text)


def words(text: str) -> list[NameWord]:
    """The words of a text; a compound such as `Kranteam` is two."""
    composed = unicodedata.normalize("NFC", text)
    found = (
        (match[0], bool(_SENTENCE_BEFORE.search(composed, 0, match.start())))
        for match in _WORD.finditer(composed)
    )
    return [
        word
        for written, first in found
        if written.casefold() not in CONNECTORS
        for word in _parts(written, first)
    ]


def folded(text: str) -> str:
    """Without case and diacritics.

    >>> folded("Sørby"), folded("Kräne")
    ('sorby', 'krane')
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without one ending of genitive or plural.

    >>> stem("Kräne"), stem("Abteilungen"), stem("Operations"), stem("HR")
    ('kran', 'abteilung', 'operation', 'hr')
    """
    plain = folded(word)
    ending = next(
        (end for end in _ENDINGS if plain.endswith(end) and len(plain) - len(end) >= SHORTEST), ""
    )
    return plain.removesuffix(ending)


_COMPOUNDED = {stem(unit): unit for unit in ("team", "Abteilung", "Gruppe", "Bereich", "Referat")}


def _parts(written: str, first: bool) -> Iterator[NameWord]:
    whole = stem(written)
    last = next(
        (
            unit
            for unit in _COMPOUNDED
            if whole.endswith(unit) and len(whole) - len(unit) >= SHORTEST - 1
        ),
        "",
    )
    if not last or organization_terms.unit(written):
        yield NameWord(written, whole, first)
        return
    before = whole.removesuffix(last)
    yield NameWord(written[: len(before)], stem(before), first)
    yield NameWord(_COMPOUNDED[last], last)
