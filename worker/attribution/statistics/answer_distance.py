"""Distance of answers: how much of the saved one another no longer says, as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core import grammar
from core.embeddings import Embedder
from core.evidence.lexical.analyzer import STOP, content_words
from core.evidence.lexical.sentence_ends import SENTENCE_END

Changes = NDArray[np.float64]  # shape (answers, columns): 0 nothing changed

WHOLE, WORDS, PARTICULARS = range(3)
COLUMNS = 3
MOST_SENTENCES = 30  # of an answer; what follows is compared as one
_CITATION = re.compile(r"\s*\[\d+\]")
# Where a citation stands before the dot, the sentence ends, whatever stands before the citation.
_CITED_END = re.compile(r"(?:\s*\[\d+\])+\.\s+")
_NUMBER_END = re.compile(
    r"(?P<before>[^\W\d]+\s+)?(?P<part>\d+[:,.])?(?P<number>\d{1,12})\.\s+(?=(?P<next>[A-ZÄÖÜ]\w*))"
)
_DATES, _MONTHS = grammar.merged().dates, grammar.merged().months
_BEFORE_ORDINALS = re.compile(rf"{_DATES.before_ordinals}\s+", re.IGNORECASE)
_MONTH = re.compile("|".join(map(str, (*_MONTHS.names.values(), *_MONTHS.on_pages.values()))), re.I)
MOST_MONTH = 12
MOST_ORDINAL = 31  # "31. März"; no number above it is one that people write with a dot
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
        words = tuple(dict.fromkeys(content_words(self._answer)))
        self._words = frozenset(words)
        self._particulars = particulars(self._answer)

    def changes(self, others: Sequence[str]) -> Changes:
        """For each answer how far it is from the saved one.

        In column 0 the contribution of RAGonite (Saha Roy et al., WSDM 2025, section 2.4): 1 -
        cosine similarity of "question + answer"; then the shares of the saved answer's words, and
        of its particulars, that are missing.
        """
        bare = [plain(other) for other in others]
        new = [text for text in dict.fromkeys(bare) if text not in self._rows]
        if new:
            self._embed_answers([self._answer, *new])
        for text in new:
            self._rows[text] = self._row(text)
        rows = np.array([self._rows[text] for text in bare])
        return rows.reshape(len(bare), COLUMNS)

    def _row(self, other: str) -> list[float]:
        if other == self._answer:
            return [0.0] * COLUMNS
        own, theirs = (self._vectors[self._asked(text)] for text in (self._answer, other))
        whole = max(0.0, 1.0 - float(own @ theirs))
        said = frozenset(content_words(other))
        words = _missing(self._words, said)
        special = _missing(self._particulars, particulars(other))
        return [whole, words, special]

    def _asked(self, answer: str) -> str:
        return f"{self._question}\n{answer}"

    def _embed_answers(self, answers: Sequence[str]) -> None:
        texts = [self._asked(answer) for answer in dict.fromkeys(answers)]
        new = [text for text in texts if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed(new), strict=True))


def plain(answer: str) -> str:
    """Without citations: their numbers say where something stands, not what."""
    return _CITATION.sub("", answer).strip()


def sentences_of(answer: str) -> tuple[str, ...]:
    """The sentences of an answer with its citations, which are left out.

    >>> sentences_of("It is in Room 4.12 [1]. Ines looks after it [2].")
    ('It is in Room 4.12.', 'Ines looks after it.')
    """
    return sentences(plain(_CITED_END.sub(".\n", answer)))


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
            yield from (each for each in _after_numbers(part) if re.search(r"\w", each))


def _after_numbers(text: str) -> Iterator[str]:
    """Parts of what a number and a dot end; a day of a month or a third one ends nothing.

    >>> list(_after_numbers("It weighs 740. Room 12. Im 3. Stock"))
    ['It weighs 740.', 'Room 12.', 'Im 3. Stock']
    >>> list(_after_numbers("Um 11:30. Lisa leitet es."))
    ['Um 11:30.', 'Lisa leitet es.']
    """
    start = 0
    for end in _NUMBER_END.finditer(text):
        if not _is_ordinal(end):
            yield text[start : end.start("next")].strip()
            start = end.start("next")
    yield text[start:].strip()


def _is_ordinal(end: re.Match[str]) -> bool:
    """Whether the dot belongs to the number: 3. Mai, der 3. Stock, am 24.12. Weihnachten."""
    if int(end["number"]) > MOST_ORDINAL or end["next"].lower() in STOP:
        return False
    part = end["part"] or ""
    if part:
        is_day = part.endswith(".") and int(part[:-1]) <= MOST_ORDINAL
        return is_day and int(end["number"]) <= MOST_MONTH
    before = _BEFORE_ORDINALS.fullmatch(end["before"] or "")
    return bool(before or _MONTH.fullmatch(end["next"]))


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
