"""Compounds: German words that are written as one, and the same said in several words.

The pages' own words decide: a word is a compound if both of its parts stand in the index, and two
words of a question make one if the index has it.

>>> links = ("", "s")
>>> known = {"betriebsrat", "sitzung", "betriebsratssitzung"}.__contains__
>>> parts("Betriebsratssitzung", known, links)
('betriebsrat', 'sitzung')
>>> joined(["Sitzung", "Betriebsrats"], known, links)
{'betriebsratssitzung': 1}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.evidence.lexical.analyzer import words

SHORTEST = 4  # letters of a part: shorter ones are found in any word

Known = Callable[[str], bool]  # whether the index has a term


def parts(word: str, known: Known, links: Sequence[str]) -> tuple[str, ...]:
    """The terms of the two parts of a compound, the one with the longest end; or nothing."""
    lower = word.lower()
    for middle in range(SHORTEST, len(lower) - SHORTEST + 1):
        end = _term(lower[middle:])
        if not known(end):
            continue
        for link in links:
            begin = lower[:middle].removesuffix(link) if lower[:middle].endswith(link) else ""
            if len(begin) >= SHORTEST and known(_term(begin)):
                return (_term(begin), end)
    return ()


def joined(said: Sequence[str], known: Known, links: Sequence[str]) -> dict[str, int]:
    """The terms of compounds of two of these words, each with the place of the later one."""
    found: dict[str, int] = {}
    for begin, first in enumerate(said):
        for end, second in enumerate(said):
            if begin == end or min(len(first), len(second)) < SHORTEST:
                continue
            for link in links:
                term = _term(first.lower() + link + second.lower())
                if known(term):
                    found.setdefault(term, max(begin, end))
    return found


def _term(word: str) -> str:
    return words(word)[0]
