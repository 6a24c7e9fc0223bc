"""How much of the saved answer another answer no longer says: as a whole, sentence by sentence and word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Embedder
from core.evidence.lexical.analyzer import content_words
from worker.extractive.spans import SENTENCE_END

Changes = NDArray[np.float64]  # shape (answers, columns): 0 nothing changed

WHOLE, WORDS, PARTICULARS, FIRST_SENTENCE = range(
    4
)  # columns; behind the sentences follow the words
MOST_SENTENCES = 30  # of an answer; what follows is compared as one
MOST_WORDS = 80
_CITATION = re.compile(r"\s*\[\d+\]")
_MARKUP = re.compile(r"^(?:[-•*>#]+|\d+[.)])\s+|[*_`|]+")
# Inside a sentence: what has a digit or a capital, such as amounts, names and identifiers. Other words may be said differently.
_PARTICULAR = re.compile(r"\b(?=\w*[\dA-ZÄÖÜ])[\w.:/-]*\w")


class Comparison:
    """The saved answer, ready to be compared with others."""

    def __init__(self, question: str, answer: str, embedder: Embedder) -> None:
        self._question = question
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._rows: dict[str, list[float]] = {}
        self._answer = plain(answer)
        self.sentences = sentences(self._answer)
        self._words = frozenset(content_words(self._answer))
        self.terms = tuple(dict.fromkeys(content_words(self._answer)))[:MOST_WORDS]
        self._particulars = particulars(self._answer)

    @property
    def columns(self) -> int:
        return FIRST_SENTENCE + len(self.sentences) + len(self.terms)

    def columns_of(self, sentence: int) -> list[int]:
        """The columns that are about this sentence: its own, and those of the words that no other one has."""
        terms = [frozenset(content_words(each)) for each in self.sentences]
        own = terms[sentence].difference(
            *(each for number, each in enumerate(terms) if number != sentence)
        )
        first = FIRST_SENTENCE + len(self.sentences)
        return [
            FIRST_SENTENCE + sentence,
            *(first + n for n, term in enumerate(self.terms) if term in own),
        ]

    def changes(self, others: Sequence[str]) -> Changes:
        """For each answer how far it is from the saved one.

        In column 0 the contribution of RAGonite (Saha Roy et al., WSDM 2025, section 2.4): 1 - cosine similarity of "question +
        answer"; then the shares of the saved answer's words, and of its particulars, that are missing; then for each of its sentences
        1 - cosine similarity to the nearest sentence of the other answer; then for each of its words whether it is missing: what a
        sentence says is worded differently each time, and yet its numbers and names stay.
        """
        bare = [plain(other) for other in others]
        if new := [text for text in dict.fromkeys(bare) if text not in self._rows]:
            texts = [self._answer, *new]
            self._embed(
                [self._asked(text) for text in texts]
                + [sentence for text in texts for sentence in sentences(text)]
            )
            self._rows.update((text, self._row(text)) for text in new)
        return np.array([self._rows[text] for text in bare]).reshape(len(bare), self.columns)

    def _row(self, other: str) -> list[float]:
        if other == self._answer:
            return [0.0] * self.columns
        whole = self._distance(self._asked(self._answer), [self._asked(other)])
        said = frozenset(content_words(other))
        words = _missing(self._words, said)
        special = _missing(self._particulars, particulars(other))
        theirs = sentences(other)
        return [
            whole,
            words,
            special,
            *(self._distance(sentence, theirs) for sentence in self.sentences),
            *(float(term not in said) for term in self.terms),
        ]

    def _asked(self, answer: str) -> str:
        return f"{self._question}\n{answer}"

    def _distance(self, text: str, others: Sequence[str]) -> float:
        """To the nearest of them, 0 to 2; 1 where there are none."""
        if text in others:
            return 0.0
        nearest = max(
            (float(self._vectors[text] @ self._vectors[other]) for other in others), default=0.0
        )
        return max(0.0, 1.0 - nearest)

    def _embed(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed(new), strict=True))


def plain(answer: str) -> str:
    """Without citations: their numbers say where something stands, not what."""
    return _CITATION.sub("", answer).strip()


def sentences(text: str) -> tuple[str, ...]:
    """The sentences and lines of an answer in Markdown, without its marks.

    >>> sentences("Ask **Priya**.\\n- It costs 40 EUR. Two days.")
    ('Ask Priya.', 'It costs 40 EUR.', 'Two days.')
    """
    lines = [_MARKUP.sub("", _MARKUP.sub("", line.strip())) for line in text.splitlines()]
    found = [
        part.strip()
        for line in lines
        for part in SENTENCE_END.split(line)
        if re.search(r"\w", part)
    ]
    return tuple(
        found[:MOST_SENTENCES] + [" ".join(found[MOST_SENTENCES:])] * (len(found) > MOST_SENTENCES)
    )


def particulars(text: str) -> frozenset[str]:
    """The amounts, names and identifiers in a text; the first word of a sentence only when it has a digit.

    >>> sorted(particulars("Ask Priya Raman. Room B7 costs 40 EUR."))
    ['40', 'B7', 'EUR', 'Priya', 'Raman']
    """
    found: set[str] = set()
    for sentence in sentences(text):
        first, _, rest = sentence.partition(" ")
        found.update(_PARTICULAR.findall(rest if not re.search(r"\d", first) else sentence))
    return frozenset(found)


def _missing(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours - theirs) / len(ours) if ours else 0.0
