"""Nearness of sentences to statements: in the words that both have, and in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.embeddings import Embedder, Vectors
from core.embeddings.one_thread import one_thread
from core.evidence.lexical.analyzer import written
from worker.support.agreement import clauses
from worker.support.statements import Statement
from worker.support.words import content, is_covered

SAME_WORD = 0.5  # cosine from which a word means another one


class Nearness:
    """How near texts are to some statements; a statement is as near as the nearest part of it."""

    def __init__(self, embedder: Embedder, statements: Sequence[Statement]) -> None:
        self._embedder = embedder
        self._statements = statements

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
        shared = [_share(words, each.all_words) for each in self._statements]
        return (np.array(shared, np.float32) + self.in_meaning(text)) / 2

    def covered(self, text: str) -> float:
        """The share of the text's words that stand in the statements."""
        words = frozenset().union(*(each.all_words for each in self._statements))
        return _share(list(content(text)), words)

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
        for each in self._statements:
            begins.append(len(parts))
            parts += dict.fromkeys([each.text, *clauses(each.text)])
        return self._embedder.embed(parts), begins

    @cached_property
    def _small(self) -> list[str]:
        found: set[str] = set()
        for each in self._statements:
            found |= {word for word in written(each.text) if word.islower()}
        return sorted(found)


def _share(words: Sequence[str], known: frozenset[str]) -> float:
    if not words:
        return 0.0
    return sum(is_covered(word, known) for word in words) / len(words)
