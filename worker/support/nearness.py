"""Nearness of sentences to statements: in the words that both have, and in meaning."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.embeddings import Embedder, Vectors
from core.embeddings.once import EmbeddedOnce
from core.evidence.lexical.analyzer import STOP, written
from core.one_thread import one_thread
from worker.support.agreement import clauses
from worker.support.statements import PageStatement
from worker.support.words import content, is_covered

SAME_WORD = 0.5  # cosine from which a word means another one
# Of two clauses: most of it meaning, since most words differ between languages.
IN_MEANING = 0.8
IN_WORDS = 0.1  # for the share of words of each that the other has
SAYS_THE_FACTS = 0.2
MOST_CLAUSES = 20  # that are compared word for word
# How much the words of a sentence count beside the sentence, by a regression on right answers, made
# up ones and right ones about other pages; and with how many statements its words are compared.
BY_WORDS = 0.55
COMPARED = 5
LEAST_LETTERS = 3


class NearClause(NamedTuple):
    """A clause of a statement, with the place of that statement."""

    nearness: float
    text: str
    place: int


class Nearness:
    """How near texts are to some statements; a statement is as near as the nearest part of it."""

    def __init__(self, embedder: Embedder, statements: Sequence[PageStatement]) -> None:
        self._embedder = embedder
        self.statements = statements

    def in_meaning(self, text: str) -> Vectors:
        """The cosine to each statement."""
        (asked,) = self._embedder.embed([text])
        vectors, begins = self._parts
        with one_thread():
            alike = vectors @ asked
        return np.maximum.reduceat(alike, begins)

    def of(self, text: str) -> Vectors:
        """To each statement: half of it the share of words that it has, half of it meaning."""
        words = list(content(text))
        shared = [_share(words, each.all_words) for each in self.statements]
        both: Vectors = (np.array(shared, np.float32) + self.in_meaning(text)) / np.float32(2)
        return both

    def clauses(
        self, text: str, said_by: Collection[PageStatement], leave_out: re.Pattern[str]
    ) -> list[NearClause]:
        """Clauses of the statements, the nearest to the text first.

        What the pattern finds is left out of both in comparing their meaning. Statements in
        `said_by` say the text's facts, and are nearer by that.
        """
        words = frozenset(content(text))
        texts, places = self._clauses
        vectors = self._embedder.embed([_without(leave_out, each) for each in [text, *texts]])
        with one_thread():
            alike = vectors[1:] @ vectors[0]
        saying = {id(each) for each in said_by}
        facts = np.array([id(self.statements[place]) in saying for place in places], np.float32)
        scores = IN_MEANING * alike + SAYS_THE_FACTS * facts
        found: list[NearClause] = []
        for each in np.argsort(-scores)[:MOST_CLAUSES]:
            clause, place = texts[each], places[each]
            own = frozenset(content(clause))
            both = _share(words, own | self.statements[place].context_words) + _share(own, words)
            found.append(NearClause(float(scores[each]) + IN_WORDS * both, clause, place))
        return sorted(found, key=lambda each: -each.nearness)

    def between(self, one: str, other: str) -> float:
        """Of two short texts: half of it the share of words of both, half of it meaning."""
        vectors = self._embedder.embed([one, other])
        words, others = frozenset(content(one)), frozenset(content(other))
        shared = (_share(words, others) + _share(others, words)) / 2
        return (float(vectors[0] @ vectors[1]) + shared) / 2

    def says(self, text: str, enough: float) -> bool:
        """Whether a statement says this, as a whole and word for word in whatever language.

        Its meaning (a cosine) and `BY_WORDS` for its words come to `enough`. Words are embedded
        only where the meaning leaves it open.
        """
        alike = self.in_meaning(text)
        lacking = (enough - float(alike.max())) / BY_WORDS
        if lacking <= 0:
            return True
        nearest = np.argsort(-alike)[:COMPARED]
        others = [self.statements[place].whole for place in nearest]
        return lacking <= 1 and self._most_meant(text, others) >= lacking

    def _most_meant(self, text: str, others: Sequence[str]) -> float:
        """How near the words of a text are to those of one of the others: 1 for the same words."""
        words = [_carrying(each) for each in [text, *others]]
        together = EmbeddedOnce(self._embedder)  # one batch costs less than one for each text
        together.embed([word for each in words for word in each])
        return max(_meant(together, words[0], other) for other in others)

    def says_in_other_words(self, word: str) -> bool:
        """Whether the statements have a word without a capital that means this one."""
        (asked,) = self._embedder.embed([word])
        vectors = self._embedder.embed(self._small)
        with one_thread():
            return bool((vectors @ asked >= SAME_WORD).any())

    @cached_property
    def _parts(self) -> tuple[Vectors, list[int]]:
        """The vectors of all statements and of their clauses, and where each statement begins."""
        parts: list[str] = []
        begins: list[int] = []
        for each in self.statements:
            begins.append(len(parts))
            parts += dict.fromkeys([each.text, *clauses(each.text)])
        return self._embedder.embed(parts), begins

    @cached_property
    def _clauses(self) -> tuple[list[str], list[int]]:
        """All clauses, and the place of the statement that each belongs to."""
        texts: list[str] = []
        places: list[int] = []
        for place, each in enumerate(self.statements):
            found = clauses(each.text) or [each.text]
            texts += found
            places += [place] * len(found)
        return texts, places

    @cached_property
    def _small(self) -> list[str]:
        found: set[str] = set()
        for each in self.statements:
            found |= {word for word in written(each.text) if word.islower()}
        return sorted(found)


def _meant(embedder: Embedder, words: list[str], other: str) -> float:
    """How near words are to those of a text, on average: 1 for the same word."""
    others = _carrying(other)
    if not words or not others:
        return 0.0
    with one_thread():
        alike = embedder.embed(words) @ embedder.embed(others).T
    known = frozenset(content(other))
    is_there = [_share(list(content(word)), known) for word in words]
    return float(np.maximum(alike.max(axis=1), is_there).mean())


def _share(words: Collection[str], known: frozenset[str]) -> float:
    if not words:
        return 0.0
    return sum(is_covered(word, known) for word in words) / len(words)


def _without(pattern: re.Pattern[str], text: str) -> str:
    return " ".join(pattern.sub(" ", text).split())


def _carrying(text: str) -> list[str]:
    """The words of a text that carry meaning, as they are written, each once."""
    words = dict.fromkeys(word.lower() for word in written(text))
    return [
        word
        for word in words
        if len(word) >= LEAST_LETTERS and word not in STOP and not any(map(str.isdigit, word))
    ]
