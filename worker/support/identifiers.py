"""Support of identifiers and names in a claim: what is copied letter by letter, or not at all.

Identifiers are codes, versions, commands, addresses and numbers of telephones; names are words with
a capital where the language gives one to names alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core import grammar
from core.evidence.lexical.analyzer import STOP
from core.evidence.lexical.dates import MONTHS
from worker.support.quantities import units

LONGEST_ABBREVIATION = 4  # letters of EUR, RAM, UTC, which everybody writes
_CODE = re.compile(r"`([^`\n]+)`")
_PHONE = re.compile(r"\+\d[\d ()/\u00a0-]{6,}\d")
_TOKEN = re.compile(r"[^\W_](?:[\w./:+#@&=-]*\w)?|#\w[\w-]*")
_PLAIN_NUMBER = re.compile(r"\d+(?:[.,:/–-]\d+)?-?(?![A-Z]\b)[^\W\d]*")  # 14d, 52-minute
_VERSION = re.compile(r"(?!\d{1,3}(?:\.\d{3})+\Z)v?\d+(?:\.\d+){2,}")  # no 1.500.000
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
_CAMEL = re.compile(r"[a-z]{2,}[A-Z]|[A-Z][a-z]+[A-Z]")
_AMOUNT = re.compile(r"\d[\s\u00a0]+$")  # "30 Tage Zahlungsziel": its unit is no name
# A code in a compound, or none: "S1-Plätze", "24-Zoll-Monitor".
_COMPOUND = re.compile(r"([A-Z]*\d\w*)(?:-[A-ZÄÖÜ]?[a-zäöüß]{3,})+")
_SQUEEZED = re.compile(r"[\s\u00a0_‑–-]+")
# A name at the beginning of a sentence cannot be told from another word.
_BEGINNING = re.compile(r"(?:^|[.!?:]\s+|\n\s*)[\"“„(*\s]*$")


def identifiers(text: str) -> list[str]:
    """Codes, versions, paths, commands and telephone numbers.

    >>> identifiers("Run `ls -l` on gw-2 with 4.2.1, see TERN-2238, within 2 days")
    ['ls -l', 'gw-2', '4.2.1', 'TERN-2238']
    """
    found = _CODE.findall(text)
    text = _CODE.sub(" ", text)
    found += _PHONE.findall(text)
    tokens = (_COMPOUND.sub(r"\1", each) for each in _TOKEN.findall(_PHONE.sub(" ", text)))
    return [*found, *filter(_is_identifier, tokens)]


def _is_identifier(token: str) -> bool:
    if "@" in token or "_" in token or token.startswith("#") or _VERSION.fullmatch(token):
        return True
    if _PLAIN_NUMBER.fullmatch(token):
        return False
    has_digit = any(map(str.isdigit, token)) and any(map(str.isalpha, token))
    is_path = "/" in token and ("." in token or token.count("/") > 1)
    return has_digit or is_path or bool(_CAMEL.search(token))


def stands_in(identifier: str, text: str) -> bool:
    """Whether the text has it as a whole, wherever spaces and hyphens stand.

    >>> stands_in("SEV 1", "a SEV1"), stands_in("4.2", "Tern 4.2.1")
    (True, False)
    """
    parts = re.findall(r"[^\W\d_]+|\d+|[^\w\s‑–-]", identifier)
    loose = r"[\s\u00a0_‑–-]*".join(map(re.escape, parts))
    whole = rf"(?<![^\W_]){loose}(?![^\W_]|\.\d)"
    return bool(parts) and re.search(whole, text, re.IGNORECASE) is not None


def names(text: str, *, nouns_have_capitals: bool) -> Iterator[str]:
    """Words with a capital inside a sentence; only the second of a row where all nouns have one.

    >>> list(names("Ask Ada Byron on Monday.", nouns_have_capitals=False))
    ['Ada', 'Byron']
    >>> list(names("Frag am Montag Ada Byron vom Team", nouns_have_capitals=True))
    ['Byron']
    """
    words = list(_WORD.finditer(_CODE.sub(" ", text)))
    for place, word in enumerate(words):
        if not _is_name(word[0]):
            continue
        is_wanted = _is_second(word, words[:place], text)
        if not nouns_have_capitals:
            is_wanted |= not _BEGINNING.search(text, 0, word.start())
        if is_wanted:
            yield word[0]


def _is_second(word: re.Match[str], before: Sequence[re.Match[str]], text: str) -> bool:
    """Whether another name stands right before it."""
    if not before or not _is_name(before[-1][0]):
        return False
    if units(before[-1][0]) or _AMOUNT.search(text, 0, before[-1].start()):
        return False
    return text[before[-1].end() : word.start()].strip(" \u00a0") == ""


def _is_name(word: str) -> bool:
    plain = word.lower().removesuffix("'s").removesuffix("’s")
    is_calendar = plain in MONTHS or plain.removesuffix("s") in _DAYS
    is_short = word.isupper() and len(word) <= LONGEST_ABBREVIATION
    return word[0].isupper() and plain not in STOP and not is_calendar and not is_short


_DAYS = frozenset(grammar.merged().dates.weekdays)
