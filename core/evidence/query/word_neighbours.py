"""Word neighbours: the words of the pages nearest in meaning to a word, in whatever language.

"Speicherplatz" asks for storage then, and "Telefonkonferenz" for a conference. The words are
compared by the bundled multilingual encoder, whichever embedder the evidence has: it is by far the
best at single words across languages. Their vectors are kept in SQL, where the indexer puts them
with each page.
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
from core.evidence.lexical.snapshot import Snapshot
from core.storage.database import Database

BEST = 12  # words that are looked at for a word: several of them make one term
MOST_WORDS = 40_000  # of the pages, the most frequent ones: 80 MB of vectors
# Words that a search embeds itself, where the indexer has not done so: after an upgrade.
AT_ONCE = 2_000
CACHED = 10_000  # words of questions
ENOUGH = 0.5  # cosine similarity below which a word is no neighbour


@dataclass(frozen=True)
class _Known:
    """Words of the pages with their vectors, shape (words, dimensions), as of a revision."""

    written: tuple[str, ...] = ()
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    tried: frozenset[str] = frozenset()  # also those left out
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
        self,
        asked: Sequence[str],
        snapshot: Snapshot,
        most: int,
        enough: float = ENOUGH,
    ) -> dict[str, tuple[str, ...]]:
        """By word, at most `most` index terms that are as near as `enough`, the nearest first."""
        known = self._caught_up(snapshot)
        if not asked or not known.written:
            return {}
        similar = self._vectors(asked) @ known.vectors.T
        found: dict[str, tuple[str, ...]] = {}
        for word, each in zip(asked, similar, strict=True):
            best = [place for place in np.argsort(-each)[:BEST] if each[place] >= enough]
            written = [known.written[place] for place in best]
            found[word] = _terms(written, snapshot)[:most]
        return found

    def _vectors(self, asked: Sequence[str]) -> Vectors:
        """Shape (words, dimensions); cached, since people ask with the same words again."""
        with self._lock:
            new = [word for word in dict.fromkeys(asked) if word not in self._asked]
            if len(self._asked) + len(new) > CACHED:
                self._asked = {}
                new = list(dict.fromkeys(asked))
            if new:
                vectors = self._multilingual.embed([word.lower() for word in new])
                self._asked |= zip(new, vectors, strict=True)
            rows = [self._asked[word] for word in asked]
            return np.array(rows, dtype=np.float32)

    def _caught_up(self, snapshot: Snapshot) -> _Known:
        """With the words that have come since; a snapshot's words only ever grow."""
        with self._lock:
            if self._known.of != (snapshot.identity, snapshot.revision):
                self._known = self._with(snapshot.plain - self._known.tried, snapshot)
            return self._known

    def _with(self, new: frozenset[str], snapshot: Snapshot) -> _Known:
        before = self._known
        found: dict[str, Vectors] = {}
        missing: list[str] = []
        if wanted := _most_frequent(new, snapshot):
            found = embedding_cache.known(self._database, self._multilingual, wanted)
            missing = [word for word in wanted if word not in found]
        if missing:
            now = missing[:AT_ONCE]
            embedded, _ = embedding_cache.embed(self._database, self._multilingual, now)
            found |= zip(now, embedded, strict=True)
        vectors = before.vectors
        if found:
            rows = [*vectors, *found.values()]
            vectors = np.array(rows, dtype=np.float32)
        return _Known(
            written=(*before.written, *found),
            vectors=vectors,
            tried=(before.tried | new).difference(missing[AT_ONCE:]),
            of=(snapshot.identity, snapshot.revision),
        )

    @property
    def _multilingual(self) -> Embedder:
        if self._embedder is None:
            self._embedder = self._load()
        return self._embedder


def _terms(written: Iterable[str], snapshot: Snapshot) -> tuple[str, ...]:
    """The index terms of these words, in their order, each once; those that pieces have."""
    terms = dict.fromkeys(words(word)[0] for word in written)
    return tuple(term for term in terms if snapshot.pieces.frequency(term))


def _most_frequent(new: frozenset[str], snapshot: Snapshot) -> list[str]:
    if len(new) <= MOST_WORDS:
        return sorted(new)

    def frequency(word: str) -> int:
        return snapshot.pieces.frequency(words(word)[0])

    return heapq.nlargest(MOST_WORDS, sorted(new), key=frequency)
