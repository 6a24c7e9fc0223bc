"""Word overlap of an answer and the expected one: token F1 and recall; needs no judge."""

from __future__ import annotations

import re
from collections import Counter

_CITATION = re.compile(r"\s*\[\d+\]")
_WORD = re.compile(r"\w+")
_ARTICLES = frozenset(("a", "an", "the"))  # left out, as in SQuAD (Rajpurkar et al. 2016)


def plain(answer: str) -> str:
    """The answer without its citations."""
    return _CITATION.sub("", answer)


def length(answer: str) -> int:
    """How many words it has, without citations and without the signs of Markdown.

    >>> length("| Gate | Opens |\\n| --- | --- |\\n| Gate 4 | at six | [1]")
    6
    """
    return sum(_WORD.search(word) is not None for word in plain(answer).split())


def tokens(text: str) -> list[str]:
    """
    >>> tokens("The build is 9.0.2 [1].")
    ['build', 'is', '9', '0', '2']
    """
    return [word for word in _WORD.findall(plain(text).lower()) if word not in _ARTICLES]


def token_f1(answer: str, expected: str) -> float:
    """The harmonic mean of precision and recall of words, 0 to 1.

    >>> token_f1("25 days of leave", "25 days")
    0.6666666666666666
    """
    said, wanted = Counter(tokens(answer)), Counter(tokens(expected))
    both = (said & wanted).total()
    return 2 * both / (said.total() + wanted.total()) if both else 0.0


def share_of_words(answer: str, expected: str) -> float:
    """The share of the expected answer's words that the answer has, each counted once, 0 to 1.

    >>> share_of_words("25 days of leave", "25 days in Porto")
    0.5
    """
    wanted = set(tokens(expected))
    return len(wanted & set(tokens(answer))) / len(wanted) if wanted else 0.0
