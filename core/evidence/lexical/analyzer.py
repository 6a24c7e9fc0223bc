"""Words as the lexical index sees them: stems, identifiers both whole and in parts, and dates in one notation.

>>> words("Lumo SkyLift 3180, run_tests.sh and TERN-2238")
['lumo', 'skylift', 'sky', 'lift', '3180', 'run_tests.sh', 'run', 'test', 'sh', 'and', 'tern-2238', 'tern', '2238']
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

from core.evidence.lexical.dates import dates

# A run of letters, digits and marks; between such runs the signs that hold identifiers together.
_WORD = re.compile(r"[^\W_]+(?:[._\-/:+#@][^\W_]+)*")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

SHORTEST, LONGEST = 3, 30  # letters of a word that could stand in a dictionary

STOP = frozenset(
    """a about an and are as at be by can could did do does for from had has have how i if in into is it its me my of on or our
    please shall should so than that the their them then there these they this those to us was we were what when where which
    who whom whose why will with would you your
    aber als am an auch auf aus bei bin bis das dass dem den der des die dies diese diesem dieser dieses du ein eine einem einen
    einer eines er es für gibt hat haben hatte ich ihr im in ist kann man mein mit muss nach nicht oder sein sich sie sind so
    und uns unser unsere vom von vor wann war waren warum was welche welchem welchen welcher welches wenn wer werden wie wir
    wird wo wurde wurden zu zum zur""".split()  # noqa: SIM905  (a list of a hundred quoted words is no easier to read)
)


class QueryWord(NamedTuple):
    """A word of a question: as it is written, and its index terms, the whole first."""

    written: str
    terms: tuple[str, ...]


def words(text: str) -> list[str]:
    """The index terms of a text, in order; nothing in them but letters, digits and the signs inside identifiers."""
    return [term for word in _split(text) for term in _terms(word)] + dates(text)


def whole_words(text: str) -> list[str]:
    """The index terms without the parts of identifiers: `SkyLift` is one word here, however it is written."""
    return [_terms(word)[0] for word in _split(text)]


def content_words(text: str) -> list[str]:
    """The index terms of a question without the words that every sentence has."""
    return [term for word in asked(text) for term in word.terms]


def asked(text: str) -> list[QueryWord]:
    """The words of a question without those that every sentence has; a date is a word of its own."""
    said = [QueryWord(word, _terms(word)) for word in _split(text) if word.lower() not in STOP]
    return said + [QueryWord(date, (date,)) for date in dates(text)]


def plain_words(text: str) -> set[str]:
    """The words of a text as they are written, in lower case: those that could stand in a dictionary."""
    return {
        word.lower()
        for word in _split(text)
        if word.isalpha() and SHORTEST <= len(word) <= LONGEST and word.lower() not in STOP
    }


def _split(text: str) -> list[str]:
    """The words as they are written; a letter and its mark are one character first, since some systems send them as two."""
    return _WORD.findall(unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=100_000)
def _terms(word: str) -> tuple[str, ...]:
    if _VERSION.fullmatch(word):
        return _versions(word)
    parts = _PART.findall(_plain(word))
    whole = _stem(_plain(word).lower())
    stems = [_stem(part.lower()) for part in parts] if len(parts) > 1 else []
    return (whole, *stems)


def _versions(number: str) -> tuple[str, ...]:
    """`9.0.2` is found by 9.0 too, but neither by 9 nor by 0, which stand everywhere."""
    parts = number.split(".")
    return (number, *(".".join(parts[:count]) for count in range(len(parts) - 1, 1, -1)))


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
