"""Word neighbours: the words of the pages nearest in meaning to a word, in whatever language.

"Speicherplatz" asks for storage then, and "Telefonkonferenz" for a conference. The words are
compared by the bundled multilingual encoder, whichever embedder the evidence has: it is by far the
best at single words across languages. Their vectors are kept in SQL, where the indexer puts them
with each page.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

import numpy as np

from core.embeddings import Embedder, Vectors
from core.embeddings.one_thread import one_thread
from core.evidence.dense import embedding_cache
from core.evidence.lexical.analyzer import plain_words, words
from core.evidence.query.word_vectors import WordVectors
from core.evidence.readable import Readable, WrittenVocabulary
from core.storage.database import Database

BEST = 12  # words that are looked at for a word: several of them make one term
MOST_WORDS = 40_000  # of the pages, the most frequent ones: 100 MB of vectors
# Words that a search embeds itself, where the indexer has not done so: after an upgrade.
AT_ONCE = 2_000
CACHED = 10_000  # words of questions, with their neighbours
ENOUGH = 0.5  # cosine similarity below which a word is no neighbour


@dataclass(frozen=True)
class _Known:
    """The words of the pages as of a revision."""

    words: WordVectors = field(default_factory=WordVectors)
    tried: frozenset[str] = frozenset()  # also those left out
    of: tuple[str, int] = ("", -1)
    # The best places by word that was asked and by how near they had to be: people ask with the
    # same words again.
    nearest: dict[tuple[str, float], list[int]] = field(default_factory=dict)


class WordNeighbours:
    """From words to the index terms nearest to them."""

    def __init__(self, database: Database, load: Callable[[], Embedder]) -> None:
        self._database = database
        self._load = load
        self._embedder: Embedder | None = None
        self._known = _Known()
        self._lock = threading.Lock()

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed the words of these texts, unless that has been done."""
        new = set().union(*map(plain_words, texts))
        if new:
            embedding_cache.embed(self._database, self._multilingual, sorted(new))

    def near(
        self,
        asked: Sequence[str],
        readable: Readable,
        most: int,
        enough: float = ENOUGH,
    ) -> dict[str, tuple[str, ...]]:
        """By word, at most `most` readable terms as near as `enough`, the nearest first."""
        known = self._caught_up(readable.vocabulary)
        if not asked or not known.words.written:
            return {}
        lower = [word.lower() for word in asked]
        nearest = self._nearest(lower, known, enough)
        found: dict[str, tuple[str, ...]] = {}
        for word, places in zip(asked, nearest, strict=True):
            written = (known.words.written[place] for place in places)
            found[word] = tuple(islice(_terms(written, readable), most))
        return found

    def likeness(
        self,
        asked: Sequence[str],
        said: Sequence[str],
        vocabulary: WrittenVocabulary,
    ) -> dict[str, float]:
        """For each word, how near the nearest of these other words is: a cosine similarity.

        Only words of pages are compared with; where there is none, it is 0.
        """
        known = self._caught_up(vocabulary)
        places = [known.words.places[word] for word in said if word in known.words.places]
        if not asked or not places:
            return dict.fromkeys(asked, 0.0)
        vectors = self._vectors([word.lower() for word in asked], known.words)
        with one_thread():
            nearest = (vectors @ known.words.vectors[places].T).max(axis=1)
        return dict(zip(asked, nearest.tolist(), strict=True))

    def _nearest(self, asked: Sequence[str], known: _Known, enough: float) -> list[list[int]]:
        """The places of the words nearest to each of these, the nearest first."""
        with self._lock:
            keys = [(word, enough) for word in asked]
            new = [word for word in dict.fromkeys(asked) if (word, enough) not in known.nearest]
            if len(known.nearest) + len(new) > CACHED:
                known.nearest.clear()
                new = list(dict.fromkeys(asked))
            if new:
                vectors = self._vectors(new, known.words)
                places = known.words.nearest(vectors, BEST, enough)
                known.nearest.update(zip(((word, enough) for word in new), places, strict=True))
            return [known.nearest[key] for key in keys]

    def _vectors(self, asked: Sequence[str], known: WordVectors) -> Vectors:
        """Shape (words, dimensions): words of the pages have their vectors already."""
        new = [word for word in asked if word not in known.places]
        embedded = dict(zip(new, self._multilingual.embed(new), strict=True)) if new else {}
        rows: list[Vectors] = []
        for word in asked:
            place = known.places.get(word)
            rows.append(embedded[word] if place is None else known.vectors[place])
        return np.array(rows, dtype=np.float32)

    def _caught_up(self, vocabulary: WrittenVocabulary) -> _Known:
        """With the words that have come since; its words only ever grow."""
        with self._lock:
            if self._known.of != (vocabulary.identity, vocabulary.revision):
                self._known = self._with(vocabulary.plain - self._known.tried, vocabulary)
            return self._known

    def _with(self, new: frozenset[str], vocabulary: WrittenVocabulary) -> _Known:
        before = self._known
        found: dict[str, Vectors] = {}
        missing: list[str] = []
        if wanted := _most_frequent(new, vocabulary):
            found = embedding_cache.known(self._database, self._multilingual, wanted)
            missing = [word for word in wanted if word not in found]
        if missing:
            now = missing[:AT_ONCE]
            embedded, _ = embedding_cache.embed(self._database, self._multilingual, now)
            found |= zip(now, embedded, strict=True)
        return _Known(
            words=before.words.with_more(found),
            tried=(before.tried | new).difference(missing[AT_ONCE:]),
            of=(vocabulary.identity, vocabulary.revision),
            nearest={} if found else before.nearest,
        )

    @property
    def _multilingual(self) -> Embedder:
        if self._embedder is None:
            self._embedder = self._load()
        return self._embedder


def _terms(written: Iterable[str], readable: Readable) -> Iterator[str]:
    """The index terms of these words, in their order, each once; those that the reader may see."""
    seen: set[str] = set()
    for word in written:
        term = _term(word)
        if term not in seen and readable.knows(term):
            seen.add(term)
            yield term


@lru_cache(maxsize=MOST_WORDS)
def _term(word: str) -> str:
    return words(word)[0]


def _most_frequent(new: frozenset[str], vocabulary: WrittenVocabulary) -> list[str]:
    if len(new) <= MOST_WORDS:
        return sorted(new)

    def frequency(word: str) -> int:
        return vocabulary.frequency(_term(word))

    return heapq.nlargest(MOST_WORDS, sorted(new), key=frequency)
