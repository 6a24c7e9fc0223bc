"""Distance of answers: how much of the saved one another no longer says, by sentence and word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Embedder
from core.evidence.lexical.analyzer import content_words
from core.evidence.lexical.sentence_ends import SENTENCE_END

Changes = NDArray[np.float64]  # shape (answers, columns): 0 nothing changed

WHOLE, WORDS, PARTICULARS, FIRST_SENTENCE = range(4)  # columns; words follow the sentences
MOST_SENTENCES = 30  # of an answer; what follows is compared as one
MOST_WORDS = 80
_CITATION = re.compile(r"\s*\[\d+\]")
_MARKUP = re.compile(r"^(?:[-•*>#]+|\d+[.)])\s+|[*_`|]+")
# Inside a sentence: what has a digit or a capital, such as amounts, names and identifiers.
# Other words may be said differently.
_PARTICULAR = re.compile(r"\b(?=\w*[\dA-ZÄÖÜ])[\w.:/-]*\w")


class Comparison:
    """The saved answer, ready to be compared with others."""

    def __init__(
        self,
        question: str,
        answer: str,
        embedder: Embedder,
    ) -> None:
        self._question = question
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._rows: dict[str, list[float]] = {}
        self._answer = plain(answer)
        self.sentences = sentences(self._answer)
        words = tuple(dict.fromkeys(content_words(self._answer)))
        self._words = frozenset(words)
        self.terms = words[:MOST_WORDS]
        self._particulars = particulars(self._answer)

    @property
    def columns(self) -> int:
        return FIRST_SENTENCE + len(self.sentences) + len(self.terms)

    def columns_of(self, sentence: int) -> list[int]:
        """The columns about this sentence: its own, and those of words that no other one has."""
        own = set(content_words(self.sentences[sentence]))
        for number, other in enumerate(self.sentences):
            if number != sentence:
                own.difference_update(content_words(other))
        columns = [FIRST_SENTENCE + sentence]
        for column, term in enumerate(self.terms, start=FIRST_SENTENCE + len(self.sentences)):
            if term in own:
                columns.append(column)
        return columns

    def changes(self, others: Sequence[str]) -> Changes:
        """For each answer how far it is from the saved one.

        In column 0 the contribution of RAGonite (Saha Roy et al., WSDM 2025, section 2.4): 1 -
        cosine similarity of "question + answer"; then the shares of the saved answer's words, and
        of its particulars, that are missing; then for each of its sentences 1 - cosine similarity
        to the nearest sentence of the other answer; then for each of its words whether it is
        missing: what a sentence says is worded differently each time, and yet its numbers and names
        stay.
        """
        bare = [plain(other) for other in others]
        new = [text for text in dict.fromkeys(bare) if text not in self._rows]
        if new:
            self._embed_answers([self._answer, *new])
        for text in new:
            self._rows[text] = self._row(text)
        rows = np.array([self._rows[text] for text in bare])
        return rows.reshape(len(bare), self.columns)

    def _row(self, other: str) -> list[float]:
        if other == self._answer:
            return [0.0] * self.columns
        whole = self._distance(self._asked(self._answer), [self._asked(other)])
        said = frozenset(content_words(other))
        words = _missing(self._words, said)
        special = _missing(self._particulars, particulars(other))
        theirs = sentences(other)
        row = [whole, words, special]
        for sentence in self.sentences:
            distance = self._distance(sentence, theirs)
            row.append(distance)
        for term in self.terms:
            is_missing = term not in said
            row.append(float(is_missing))
        return row

    def _asked(self, answer: str) -> str:
        return f"{self._question}\n{answer}"

    def _distance(
        self,
        text: str,
        others: Sequence[str],
    ) -> float:
        """To the nearest of them, 0 to 2; 1 where there are none."""
        if text in others:
            return 0.0
        own = self._vectors[text]
        nearest = max((float(own @ self._vectors[other]) for other in others), default=0.0)
        return max(0.0, 1.0 - nearest)

    def _embed_answers(self, answers: Sequence[str]) -> None:
        """Embed what is not known yet: the answers with the question, and their sentences."""
        texts = [self._asked(answer) for answer in answers]
        for answer in answers:
            texts += sentences(answer)
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
    found = list(_sentences(text))
    if len(found) > MOST_SENTENCES:
        found[MOST_SENTENCES:] = [" ".join(found[MOST_SENTENCES:])]
    return tuple(found)


def _sentences(text: str) -> Iterator[str]:
    for line in text.splitlines():
        once = _MARKUP.sub("", line.strip())
        bare = _MARKUP.sub("", once)
        for part in SENTENCE_END.split(bare):
            if re.search(r"\w", part):
                yield part.strip()


def particulars(text: str) -> frozenset[str]:
    """The amounts, names and identifiers in a text.

    The first word of a sentence only when it has a digit.

    >>> sorted(particulars("Ask Priya Raman. Room B7 costs 40 EUR."))
    ['40', 'B7', 'EUR', 'Priya', 'Raman']
    """
    found: set[str] = set()
    for sentence in sentences(text):
        first, _, rest = sentence.partition(" ")
        has_digit = re.search(r"\d", first)
        found.update(_PARTICULAR.findall(sentence if has_digit else rest))
    return frozenset(found)


def _missing(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours - theirs) / len(ours) if ours else 0.0
