"""Words of entity names: tokenized and stemmed, without case, diacritics and endings.

These are not the stems of core.evidence.lexical.analyzer: that one matches as many words as it can,
this one only what genitive and plural need.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core import grammar, organization_terms

_ORGANIZATION = grammar.merged().organization
CONNECTORS = frozenset(_ORGANIZATION.connectors)  # as good as an ampersand
SHORTEST = 4  # letters that an ending must leave
_ENDINGS = sorted(_ORGANIZATION.endings, key=len, reverse=True)
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
    found: list[NameWord] = []
    for match in _WORD.finditer(composed):
        if match[0].casefold() not in CONNECTORS:
            begins = _SENTENCE_BEFORE.search(composed, 0, match.start())
            found += _parts(match[0], first=bool(begins))
    return found


def folded(text: str) -> str:
    """Without case and diacritics.

    >>> folded("Sørby"), folded("Kräne")
    ('sorby', 'krane')
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def as_written(words: Sequence[NameWord]) -> str:
    return " ".join(folded(word.text) for word in words)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without one ending of genitive or plural.

    >>> stem("Kräne"), stem("Abteilungen"), stem("Operations"), stem("HR")
    ('kran', 'abteilung', 'operation', 'hr')
    """
    plain = folded(word)
    for ending in _ENDINGS:
        without_ending = plain.removesuffix(ending)
        if without_ending != plain and len(without_ending) >= SHORTEST:
            return without_ending
    return plain


_COMPOUNDED = {stem(unit): unit for unit in _ORGANIZATION.compounded}


def _parts(written: str, first: bool) -> Iterator[NameWord]:
    """The word itself, or the two words of a compound that ends with a unit."""
    whole = stem(written)
    unit = _unit_at_end(whole)
    if not unit or organization_terms.unit(written):
        yield NameWord(written, whole, first)
        return
    before = whole.removesuffix(unit)
    yield NameWord(written[: len(before)], stem(before), first)
    yield NameWord(_COMPOUNDED[unit], unit)


def _unit_at_end(whole: str) -> str:
    for unit in _COMPOUNDED:
        before = whole.removesuffix(unit)
        if before != whole and len(before) >= SHORTEST - 1:
            return unit
    return ""
