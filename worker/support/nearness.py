"""Nearness of sentences to statements: in the words that both have, and in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.embeddings import Embedder, Vectors
from core.embeddings.one_thread import one_thread
from core.evidence.lexical.analyzer import written
from worker.support.agreement import clauses
from worker.support.statements import PageStatement
from worker.support.words import content, is_covered

SAME_WORD = 0.5  # cosine from which a word means another one


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

    def clauses(self, text: str) -> list[tuple[float, str]]:
        """Each clause of the statements, with how near it is to the text."""
        words = list(content(text))
        (asked,) = self._embedder.embed([text])
        texts, owners = self._clauses
        with one_thread():
            alike = self._embedder.embed(texts) @ asked
        found: list[tuple[float, str]] = []
        for clause, owner, cosine in zip(texts, owners, alike, strict=True):
            known = frozenset(content(f"{clause} {owner.context}"))
            found.append(((_share(words, known) + float(cosine)) / 2, clause))
        return found

    def covered(self, text: str) -> float:
        """The share of the text's words that stand in the statements."""
        words = frozenset().union(*(each.all_words for each in self.statements))
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
        for each in self.statements:
            begins.append(len(parts))
            parts += dict.fromkeys([each.text, *clauses(each.text)])
        return self._embedder.embed(parts), begins

    @cached_property
    def _clauses(self) -> tuple[list[str], list[PageStatement]]:
        """All clauses, and the statement that each belongs to."""
        texts: list[str] = []
        owners: list[PageStatement] = []
        for each in self.statements:
            found = clauses(each.text) or [each.text]
            texts += found
            owners += [each] * len(found)
        return texts, owners

    @cached_property
    def _small(self) -> list[str]:
        found: set[str] = set()
        for each in self.statements:
            found |= {word for word in written(each.text) if word.islower()}
        return sorted(found)


def _share(words: Sequence[str], known: frozenset[str]) -> float:
    if not words:
        return 0.0
    return sum(is_covered(word, known) for word in words) / len(words)
