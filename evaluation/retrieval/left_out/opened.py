"""One corpus's index, opened for many rankings: what all of them have in common is made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from core.embeddings import Embedder, load_named
from core.embeddings.once import EmbeddedOnce
from core.evidence import Dense, EvidenceSearch, WordNeighbours
from core.evidence.dense.collections import configured
from core.evidence.dense.nearest import vectors_of
from core.evidence.lexical.catching_up import catch_up
from core.evidence.lexical.index import LexicalIndex
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.settings import Settings, settings
from core.storage.database import Database, open_database
from evaluation.harness.product import kept
from evaluation.retrieval.left_out.corpora import Corpus
from evaluation.retrieval.left_out.vectors import ExactVectors
from worker.retrieval.retriever import Retriever

Embedders = Callable[[str], Embedder]  # by their value of the setting EMBEDDER


def embedders() -> Embedders:
    """Each embedder loaded once, however many corpora are opened with it."""
    chosen = settings()

    @cache
    def load(name: str) -> Embedder:
        return EmbeddedOnce(load_named(chosen, name))

    return load


class Opened:
    """The product's search over one corpus, with any ranking."""

    def __init__(self, corpus: Corpus, folder: Path, load: Embedders) -> None:
        """Index the pages with the product's own indexer, unless that has been done.

        Raises:
            DidNotStart: a program did not, or the sync failed.
        """
        chosen = kept(corpus.pages, folder / corpus.name, corpus.settings)
        self.corpus = corpus
        self.settings = chosen
        self.database = open_database(chosen.sql_url)
        self.lexical = LexicalIndex(chosen.data_dir)
        self._dense = _in_memory(chosen, self.database, self.lexical, load)
        self.neighbours = WordNeighbours(self.database, partial(load, "bundled"))

    def retriever(self, ranking: Ranking) -> Retriever:
        """The product's, without a reranker."""
        return self.over(self.lexical, ranking)

    def over(self, lexical: LexicalIndex, ranking: Ranking = PRODUCT) -> Retriever:
        """The same over another lexical index, which decides what can be found."""
        return Retriever(
            EvidenceSearch(self.database, lexical, self._dense, self.neighbours, ranking=ranking)
        )


def _in_memory(
    chosen: Settings,
    database: Database,
    lexical: LexicalIndex,
    load: Embedders,
) -> Dense:
    """The vectors that SQL keeps, in place of a vector store."""
    state = catch_up(database, lexical)
    assert state is not None, "the index was made"
    live = configured(chosen).of(state)
    vectors = ExactVectors(vectors_of(database, live, lexical.snapshot.ids()))
    return Dense(lambda _name: vectors, load, wanted=chosen.embedder)
