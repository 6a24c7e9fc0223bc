"""The word bridge: a word that no page has is replaced by the words of the pages nearest to it in meaning, in whatever language.

"Speicherplatz" asks for storage then, and "Telefonkonferenz" for a conference. The words are compared by the bundled multilingual
encoder, whichever embedder the evidence has: it is by far the best at single words across languages. Their vectors are kept in SQL,
where the indexer puts them with each page.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.embeddings import Embedder, Vectors
from core.evidence.dense import embedding_cache
from core.evidence.lexical.analyzer import plain_words, words
from core.evidence.lexical.index import Snapshot
from core.storage.database import Database

MOST_WORDS = 40_000  # of the pages, the most frequent ones: 80 MB of vectors
AT_ONCE = (
    2_000  # words that a search embeds itself, where the indexer has not done so: after an upgrade
)
REMEMBERED = 10_000  # words of questions
ENOUGH = 0.5  # cosine similarity below which a word is no neighbor


@dataclass(frozen=True)
class _Known:
    """Words of the pages with their vectors, shape (words, dimensions), as of a revision; `tried` includes those left out."""

    written: tuple[str, ...] = ()
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    tried: frozenset[str] = frozenset()
    of: tuple[str, int] = ("", -1)


class WordNeighbours:
    """From words to the index terms nearest to them."""

    def __init__(self, database: Database, load: Callable[[], Embedder]) -> None:
        self._database = database
        self._load = load
        self._embedder: Embedder | None = None
        self._known = _Known()
        self._asked: dict[str, Vectors] = {}
        self._lock = threading.Lock()

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed the words of these texts, unless that has been done."""
        new = set().union(*map(plain_words, texts))
        if new:
            embedding_cache.embed(self._database, self._multilingual, sorted(new))

    def near(
        self, asked: Sequence[str], snapshot: Snapshot, most: int, enough: float = ENOUGH
    ) -> dict[str, tuple[str, ...]]:
        """By word, the index terms nearest to it, the nearest first; fewer than `most` where few are as near as `enough`."""
        known = self._caught_up(snapshot)
        if not asked or not known.written:
            return {}
        similar = self._vectors(asked) @ known.vectors.T
        return {
            word: self._terms(known, each, snapshot, enough)[:most]
            for word, each in zip(asked, similar, strict=True)
        }

    @staticmethod
    def _terms(
        known: _Known, similar: Vectors, snapshot: Snapshot, enough: float
    ) -> tuple[str, ...]:
        best = np.argsort(-similar)[:12]  # several words make one term
        terms = dict.fromkeys(
            words(known.written[place])[0] for place in best if similar[place] >= enough
        )
        return tuple(term for term in terms if snapshot.pieces.frequency(term))

    def _vectors(self, asked: Sequence[str]) -> Vectors:
        """Shape (words, dimensions); people ask with the same words again."""
        with self._lock:
            new = [word for word in dict.fromkeys(asked) if word not in self._asked]
            if len(self._asked) + len(new) > REMEMBERED:
                self._asked, new = {}, list(dict.fromkeys(asked))
            if new:
                self._asked |= zip(
                    new, self._multilingual.embed([word.lower() for word in new]), strict=True
                )
            return np.array([self._asked[word] for word in asked], dtype=np.float32)

    def _caught_up(self, snapshot: Snapshot) -> _Known:
        """With the words that have come since; a snapshot's words only ever grow."""
        with self._lock:
            if self._known.of != (snapshot.identity, snapshot.revision):
                self._known = self._with(snapshot.plain - self._known.tried, snapshot)
            return self._known

    def _with(self, new: frozenset[str], snapshot: Snapshot) -> _Known:
        before, wanted = self._known, _most_frequent(new, snapshot)
        found = embedding_cache.known(self._database, self._multilingual, wanted) if wanted else {}
        missing = [word for word in wanted if word not in found]
        if missing[:AT_ONCE]:
            embedded, _ = embedding_cache.embed(
                self._database, self._multilingual, missing[:AT_ONCE]
            )
            found |= dict(zip(missing, embedded, strict=False))
        return _Known(
            written=(*before.written, *found),
            vectors=np.array([*before.vectors, *found.values()], dtype=np.float32)
            if found
            else before.vectors,
            tried=(before.tried | new).difference(missing[AT_ONCE:]),
            of=(snapshot.identity, snapshot.revision),
        )

    @property
    def _multilingual(self) -> Embedder:
        if self._embedder is None:
            self._embedder = self._load()
        return self._embedder


def _most_frequent(new: frozenset[str], snapshot: Snapshot) -> list[str]:
    if len(new) <= MOST_WORDS:
        return sorted(new)
    return heapq.nlargest(
        MOST_WORDS, sorted(new), key=lambda word: snapshot.pieces.frequency(words(word)[0])
    )
