"""Readable evidence: what a search asks about all that its reader may see; the seam of the engines.

An engine finds evidence: the index of this host (core.evidence.lexical), or a database that does
so for many hosts. Query expansion, naming and fusion stand above it and are the same for all.
Whether a word stands anywhere, is rare in titles, or makes a page an earlier edition, is asked of
readable pages alone: else a search would tell of words and titles of pages that are closed to him.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.evidence.dense.nearest import Nearest
from core.evidence.lexical.bm25f import BM25F, Alternatives
from core.evidence.lexical.segments.postings import Floats
from core.pages import PageKey


@dataclass(frozen=True)
class WordWeights:
    """How a score by words is made: of the piece, and of its page, each with its weight."""

    pieces: BM25F
    pages: BM25F
    lexical: float
    page: float  # 0: pages are not scored


@dataclass(frozen=True)
class ScoreSpread:
    """How a score is spread over all readable pieces: its mean and its standard deviation."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class PieceScores:
    """Scores by words of some pieces; all arrays have shape (pieces,)."""

    pieces: tuple[str, ...]
    lexical: Floats  # BM25F of the piece
    page: Floats  # BM25F of its page
    pages: tuple[PageKey, ...]
    outdated: NDArray[np.bool_]  # a draft, a copy, or a page with a later edition that is readable


class WordScores(Protocol):
    """The scores by words of one question, over all readable pieces."""

    @property
    def lexical(self) -> ScoreSpread: ...

    @property
    def page(self) -> ScoreSpread: ...

    def best(self, most: int) -> list[str]:
        """The readable pieces with the highest scores above 0, weighted as the ranking says."""

    def of(self, pieces: Sequence[str]) -> PieceScores:
        """Of those of these pieces that are there still, in their order."""


class WrittenVocabulary(Protocol):
    """The words of all pages as they are written, whoever reads them, as of a revision."""

    @property
    def identity(self) -> str: ...

    @property
    def revision(self) -> int: ...

    @property
    def plain(self) -> frozenset[str]:
        """Plain words in lower case, also of earlier revisions."""

    def frequency(self, term: str) -> int:
        """How many pieces have this term."""


class Readable(Nearest, Protocol):
    """What a reader may be shown, on the pages that pass the conditions of a question."""

    @property
    def size(self) -> int:
        """How many pieces are readable."""

    @property
    def vocabulary(self) -> WrittenVocabulary: ...

    def knows(self, term: str) -> bool:
        """Whether a readable piece has it."""

    def pages_with(self, term: str) -> int:
        """How many readable pages have it."""

    def title_words_like(self, word: str) -> list[str]:
        """Words of readable titles that are spelled nearly so: core.evidence.lexical.spelling."""

    def titles_named(self, terms: Collection[str]) -> list[str]:
        """The readable titles of two terms or more of which these are all."""

    def is_subject_elsewhere(self, term: str, known: Collection[PageKey]) -> bool:
        """Whether at least half of the readable pages with this term have it in their titles.

        False where one of the known pages has it.
        """

    def name_terms(self, pages: Sequence[PageKey]) -> list[frozenset[str]]:
        """Of each of these pages, the terms of its title, its space and its owner."""

    def word_scores(self, query: Sequence[Alternatives], weights: WordWeights) -> WordScores: ...
