"""How far a text covers the words of a question: by the words themselves, or by ones near them.

A word weighs as much as the question means something else without it: `password` more than `get`,
in whatever language and whatever the wiki is about. It is covered by its own term, by a word
spelled nearly like it, mostly by what else it is called at work, or, partly, by the word of the
text that is nearest in meaning: so a German question covers an English page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from core.evidence import WordNeighbours
from core.evidence.in_force import AllWords
from core.evidence.lexical.analyzer import asked, is_plain, plain_words, words
from core.evidence.lexical.spelling import Spellings
from core.evidence.query.thesaurus import Phrase, said_otherwise
from core.question import Completed
from worker.answerability.vectors import RememberedVectors

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
PARTS = 2  # of the conversation that count: its page and the question before
LEAST_MOVED = 0.001  # of a question's meaning, by any of its words
# Cosine similarity from which a word covers another a little, and from which it does wholly.
# Single words of the bundled encoder: the nearest stranger of a page has .3 to .4, translations
# have .8 and more.
STRANGE, SAME = 0.4, 0.8
OTHERWISE = 0.8  # of a word's weight, where the text calls it otherwise


@dataclass(frozen=True)
class AskedWord:
    """A word of a question, or of its conversation, with its weight."""

    written: str
    terms: frozenset[str]  # that stand for it
    weight: float
    otherwise: tuple[Phrase, ...] = ()  # what else says it

    def is_called(self, terms: frozenset[str]) -> bool:
        """Whether a text with these terms calls it otherwise."""
        return any(phrase <= terms for phrase in self.otherwise)

    @property
    def has_digit(self) -> bool:
        return any(map(str.isdigit, self.written))


class Covering:
    """Compares questions with texts of one index."""

    def __init__(
        self, index: AllWords, neighbours: WordNeighbours, vectors: RememberedVectors
    ) -> None:
        self._index = index
        self._neighbours = neighbours
        self._vectors = vectors

    def asked(self, completed: Completed) -> list[AskedWord]:
        """The words of the question, each once, then those that its conversation adds."""
        found = {word.written.lower(): word for word in self._weighed(completed.question)}
        usual = mean(word.weight for word in found.values()) if found else 1.0
        for part in completed.context[:PARTS]:
            for word in _words(part, CONTEXT_WEIGHT * usual):
                found.setdefault(word.written.lower(), word)
        return list(found.values())

    def share(self, said: Sequence[AskedWord], text: str) -> float:
        """Of the weight of these words that the text covers, 0 to 1."""
        total = sum(word.weight for word in said)
        if not total:
            return 0.0
        terms = frozenset(words(text))
        open_words = [word for word in said if not word.terms & terms]
        covered = total - sum(word.weight for word in open_words)
        plain = [word for word in open_words if is_plain(word.written)]
        if plain:
            parts = self._parts([word.written for word in plain], sorted(plain_words(text)))
            for word in plain:
                called = OTHERWISE * word.is_called(terms)
                covered += word.weight * max(parts[word.written], called)
        return covered / total

    def _parts(self, open_words: Sequence[str], others: Sequence[str]) -> dict[str, float]:
        """How far the word most like it stands for each word, 0 to 1."""
        near = self._neighbours.likeness(open_words, others, self._index.snapshot)
        spellings = Spellings(others)
        return {
            word: 1.0 if spellings.nearly(word, most=1) else _part(near[word])
            for word in open_words
        }

    def _weighed(self, question: str) -> Iterator[AskedWord]:
        """By how far the vector of the question moves without them.

        A word is left out of the sentence, not compared alone: what it adds depends on the others.
        Its root, since one telling word must not be all that counts. A date, whose term is written
        otherwise than the question does, weighs as the words beside it.
        """
        otherwise = said_otherwise(question)
        plain = list(_words(question, 1.0))
        without = {word.written: _without(word.written, question) for word in plain}
        left = {word: text for word, text in without.items() if text not in ("", question)}
        whole, *others = self._vectors.of([question, *left.values()])
        moved: dict[str, float] = {}
        for word, vector in zip(left, others, strict=True):
            moved[word] = math.sqrt(max(1 - float(vector @ whole), LEAST_MOVED))
        usual = mean(moved.values()) if moved else 1.0
        for said in plain:
            (term,) = said.terms
            weight = round(moved.get(said.written, usual), 6)
            yield replace(said, weight=weight, otherwise=otherwise.get(term, ()))


def _words(text: str, weight: float) -> Iterator[AskedWord]:
    for word in asked(text):
        yield AskedWord(word.written, frozenset(word.terms[:1]), weight)


def _without(word: str, text: str) -> str:
    """
    >>> _without("get", "Who can get in?")
    'Who can in?'
    """
    return " ".join(re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", text).split())


def _part(similarity: float) -> float:
    """How far a word so near stands for the one that was asked.

    >>> _part(0.4), _part(0.6), _part(1.0)
    (0.0, 0.5, 1.0)
    """
    return round(min(max((similarity - STRANGE) / (SAME - STRANGE), 0.0), 1.0), 6)
