"""The live collection of vectors and the embedder that made them, as SQL names them.

Every search looks them up in SQL, so a rebuild (core.evidence.dense.rebuild) switches all programs
at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from core.embeddings import Embedder, load_named
from core.errors import SettingsError, StoreUnavailable
from core.evidence.dense.in_sql import IN_SQL
from core.evidence.dense.vector_stores import (
    IN_POSTGRES,
    VectorStore,
    VectorStores,
    vector_stores,
    with_postgres,
)
from core.models import Evidence, Page
from core.policy.model_routing import embedder_refusal
from core.settings import Settings
from core.settings.values import EvidenceEngine
from core.storage.database import open_database
from core.storage.index_tables import IndexRow


@dataclass(frozen=True)
class Live:
    """A collection and the embedder of its vectors: one is of no use without the other."""

    collection: str
    embedder: Embedder
    vectors: VectorStore


class Dense:
    """Opens collections and embedders by their names in SQL, each once in a process."""

    def __init__(
        self,
        stores: VectorStores,
        load: Callable[[str], Embedder],
        *,
        wanted: str,
        engine: EvidenceEngine = EvidenceEngine.HOST,
        is_in_sql: bool = False,
    ) -> None:
        """`load` makes an embedder from a value of the setting EMBEDDER, `wanted` is its value.

        `engine` is the one that is wanted; SQL says which is in force. With `is_in_sql` no store
        holds the vectors: see core.evidence.dense.in_sql.
        """
        self.wanted = wanted
        self.is_in_sql = is_in_sql
        self.engine = engine
        self._stores = stores
        self._load = load
        self._lock = threading.Lock()
        self._embedders: dict[str, Embedder] = {}
        self._collections: dict[str, VectorStore] = {}

    def name(self, stem: str) -> str:
        """Of a collection for the wanted engine."""
        if self.engine is EvidenceEngine.POSTGRES:
            return stem + IN_POSTGRES
        return stem + IN_SQL if self.is_in_sql else stem

    def of(self, state: IndexRow) -> Live:
        return self.open(state.embedder, state.collection)

    def open(self, embedder: str, collection: str) -> Live:
        return Live(collection, self.embedder(embedder), self.vectors(collection))

    def embedder(self, setting: str) -> Embedder:
        with self._lock:
            if setting not in self._embedders:
                self._embedders[setting] = self._load(setting)
            return self._embedders[setting]

    @property
    def coder(self) -> Callable[[str], str] | None:
        """What core.evidence.lexical.index.LexicalIndex wants to know, where it holds codes."""
        return self._coded if self.is_in_sql else None

    def _coded(self, setting: str) -> str:
        """The name under which SQL keeps the vectors; empty where they may not be asked for."""
        try:
            return self.embedder(setting).name
        except StoreUnavailable:
            return ""

    def vectors(self, collection: str) -> VectorStore:
        with self._lock:
            if collection not in self._collections:
                self._collections[collection] = self._stores(collection)
            return self._collections[collection]


def configured(chosen: Settings) -> Dense:
    """The vectors and embedders that the settings name.

    Raises:
        SettingsError: CHROMA_URL is no address of a vector store, EVIDENCE_ENGINE=postgres without
            a Postgres, or EMBEDDER would send pages to an endpoint that may not get them.
    """
    engine, url = chosen.evidence_engine, chosen.sql_url
    if engine is EvidenceEngine.POSTGRES and not url.startswith("postgresql"):
        raise SettingsError(
            "EVIDENCE_ENGINE=postgres needs a Postgres: name it in DATABASE_URL, "
            "or leave EVIDENCE_ENGINE at host"
        )
    if refusal := embedder_refusal(chosen, chosen.embedder):
        raise SettingsError(refusal)
    return Dense(
        with_postgres(vector_stores(chosen.chroma_url), partial(open_database, url)),
        partial(_load, chosen),
        wanted=chosen.embedder,
        engine=engine,
        is_in_sql=engine is EvidenceEngine.HOST and not chosen.chroma_url,
    )


def _load(chosen: Settings, name: str) -> Embedder:
    """The embedder of this name, which may be that of an older index.

    Raises:
        StoreUnavailable: it may not get the pages any more: until the next sync has made new
            vectors, pages are found by words alone.
    """
    if refusal := embedder_refusal(chosen, name):
        raise StoreUnavailable(refusal)
    return load_named(chosen, name)


def embedded_text(page: Page, piece: Evidence) -> str:
    """The piece under its title and headings: measured as the best context for ranking.

    The text before and after it dilutes the vector.
    """
    path = " › ".join([page.title, *piece.heading_path])
    return f"{path}\n{piece.text}"
