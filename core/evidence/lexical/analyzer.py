"""Analyzer of the lexical index: text to terms; stems, identifiers whole and in parts, dates.

>>> words("Lumo SkyLift 3180")
['lumo', 'skylift', 'sky', 'lift', '3180']
>>> words("run_tests.sh and TERN-2238")
['run_tests.sh', 'run', 'test', 'sh', 'and', 'tern-2238', 'tern', '2238']
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

from core import grammar
from core.evidence.lexical.dates import dates

# A run of letters, digits and marks; between such runs the signs that hold identifiers together.
_WORD = re.compile(r"[^\W_]+(?:[._\-/:+#@][^\W_]+)*")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

SHORTEST, LONGEST = 3, 30  # letters of a word that could stand in a dictionary
# Of words between hyphens, and of the numbers of a version: more are a list, and every one of them
# with every other would be terms without end.
MOST_PARTS = 6

STOP = frozenset(grammar.merged().stop_words.search)


class QueryWord(NamedTuple):
    """A word of a question: as it is written, and its index terms, the whole first."""

    written: str
    terms: tuple[str, ...]


def words(text: str) -> list[str]:
    """The index terms of a text, in order: letters, digits and the signs inside identifiers."""
    found: list[str] = []
    for word in written(text):
        found += terms_of(word)
    return found + dates(text)


def written(text: str) -> list[str]:
    """The words of a text as they are written.

    A letter and its mark become one character first, since some systems send them as two.
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=100_000)
def terms_of(word: str) -> tuple[str, ...]:
    """The index terms of a word as it is written, the whole first."""
    if _VERSION.fullmatch(word):
        return _versions(word)
    plain = _plain(word)
    whole = _stem(plain.lower())
    parts = _PART.findall(plain)
    if len(parts) < 2:
        return (whole,)
    return (whole, *(_stem(part.lower()) for part in parts), *_joined(plain.lower()))


def whole_words(text: str) -> list[str]:
    """The index terms without the parts of identifiers: `SkyLift` is one word here."""
    return [terms_of(word)[0] for word in written(text)]


def content_words(text: str) -> list[str]:
    """The index terms of a question without stop words."""
    found: list[str] = []
    for word in asked(text):
        found += word.terms
    return found


def asked(text: str) -> list[QueryWord]:
    """The words of a question without stop words; a date is a word of its own."""
    kept = [word for word in written(text) if word.lower() not in STOP]
    said = [QueryWord(word, terms_of(word)) for word in kept]
    return said + [QueryWord(date, (date,)) for date in dates(text)]


def plain_words(text: str) -> set[str]:
    """The words of a text in lower case that could stand in a dictionary, without stop words."""
    found = {word.lower() for word in written(text) if is_plain(word)}
    return found - STOP


def is_plain(word: str) -> bool:
    """Whether this could stand in a dictionary: no identifier, no number."""
    return word.isalpha() and SHORTEST <= len(word) <= LONGEST


def _joined(word: str) -> list[str]:
    """Neighbouring words between hyphens written as one, as others write them.

    >>> _joined("e-mail-postfach")
    ['email', 'emailpostfach', 'mailpostfach']
    """
    parts = word.split("-")
    found: list[str] = []
    if len(parts) <= MOST_PARTS and all(map(str.isalpha, parts)):
        for begin in range(len(parts)):
            ends = range(begin + 2, len(parts) + 1)
            found += [_stem("".join(parts[begin:end])) for end in ends]
    return found


def _versions(number: str) -> tuple[str, ...]:
    """`9.0.2` is found by 9.0 too, but neither by 9 nor by 0, which stand everywhere."""
    found = [number]
    shorter = ".".join(number.split(".")[:-1][:MOST_PARTS])
    while "." in shorter:
        found.append(shorter)
        shorter, _, _ = shorter.rpartition(".")
    return tuple(found)


def _plain(word: str) -> str:
    """Without diacritics: `für` and `fur` meet, so do `café` and `cafe`; ß becomes ss."""
    decomposed = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


_english = snowballstemmer.stemmer("english")


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    if not word.isalpha():
        return word  # identifiers and numbers are what they are
    return str(_english.stemWord(word))
