"""Deduplicate hits: of pieces that say the same one is shown, the others become sources of it.

Wikis are full of them: a page and its draft, a copy in somebody's space, the licence under every
page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core import grammar
from core.evidence.lexical.page_status import authority
from core.evidence.ranking.naming import SURELY
from core.models import Copy, Hit

SAME = 0.9  # of all words of two pieces must stand in both
_WORD = re.compile(r"[\w.:/'’-]*\w")  # with the signs inside numbers and identifiers
_NUMBER_OR_NEGATION = re.compile(rf"\d|^{grammar.merged().negation.words}$")

FEWEST = 5  # different words: shorter pieces are alike by chance


class Distinct:
    """Takes hits in their order and keeps each text once.

    The score of the first one stays. The page is shown that the question names, or the best one.
    """

    def __init__(self) -> None:
        self.hits: list[Hit] = []
        self._words: list[frozenset[str]] = []
        self._named: list[float] = []

    def add(self, hit: Hit, named: float = 0.0) -> bool:
        """Whether it says something new; `named` is how far the question names its page."""
        words = frozenset(words_of(hit.evidence.text))
        for place, known in enumerate(self._words):
            if _same(words, known):
                self._merge(place, hit, named)
                return False
        self.hits.append(hit)
        self._words.append(words)
        self._named.append(named)
        return True

    def _merge(self, place: int, other: Hit, named: float) -> None:
        first = self.hits[place]
        if other.page.key in (copy.page.key for copy in first.everywhere):
            return
        margin = named - self._named[place]
        if abs(margin) < SURELY:
            margin = 0.0
        if (margin, authority(other.page)) > (0.0, authority(first.page)):
            self.hits[place] = _merged(other, first, first)
            self._named[place] = named
        else:
            self.hits[place] = _merged(first, other, first)


def words_of(text: str) -> list[str]:
    """The words of a text in their order, without case and punctuation."""
    return _WORD.findall(text.lower())


def telling(words: Iterable[str]) -> frozenset[str]:
    """The numbers and negations among words: texts that differ in one contradict each other.

    >>> sorted(telling(words_of("It isn't closed before 18:30.")))
    ['18:30', "isn't"]
    """
    return frozenset(word for word in words if _NUMBER_OR_NEGATION.search(word))


def _same(words: frozenset[str], others: frozenset[str]) -> bool:
    """Nearly all words agree, and none of the others is a number or a negation: a contradiction."""
    few, many = sorted((len(words), len(others)))
    if few < FEWEST or few < SAME * many:
        return False
    if len(words & others) < SAME * len(words | others):
        return False
    return not telling(words ^ others)


def _merged(shown: Hit, duplicate: Hit, first: Hit) -> Hit:
    """The hit that is shown, with the score of the first and the sources that are known."""
    copy = Copy(evidence=duplicate.evidence, page=duplicate.page)
    copies = (*first.copies, copy)
    return shown.model_copy(update={"score": first.score, "copies": copies})
