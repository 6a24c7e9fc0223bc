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
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

import numpy as np

from core.embeddings import Embedder, Vectors
from core.evidence.dense import embedding_cache
from core.evidence.lexical.analyzer import plain_words, words
from core.evidence.lexical.segments.packed import Texts
from core.evidence.query.shared_words import SharedWords, TriedWords
from core.evidence.query.word_vectors import WordVectors
from core.evidence.readable import Readable, WrittenVocabulary
from core.one_thread import one_thread
from core.storage.database import Database

BEST = 12  # words that are looked at for a word: several of them make one term
MOST_WORDS = 40_000  # of the pages, the most frequent ones: 100 MB of vectors
# Words that a search embeds itself, where the indexer has not done so: after an upgrade.
AT_ONCE = 2_000
FEW = 1_000  # words that are worth no file
CACHED = 10_000  # words of questions, with their neighbours
ENOUGH = 0.5  # cosine similarity below which a word is no neighbour


@dataclass(frozen=True)
class _Known:
    """The words of the pages as of a revision."""

    # Those that all processes of this host share, and what has come since.
    parts: tuple[WordVectors, WordVectors] = (WordVectors(), WordVectors())
    tried: frozenset[str] = frozenset()  # also those left out
    of: tuple[str, int] = ("", -1)
    # The best words by the one that was asked and by how near they had to be: people ask with the
    # same words again.
    nearest: dict[tuple[str, float], list[str]] = field(default_factory=dict)

    def vector(self, word: str) -> Vectors | None:
        """Of a word of the pages, shape (dimensions,)."""
        known = (part.vector(word) for part in self.parts)
        return next((vector for vector in known if vector is not None), None)


class WordNeighbours:
    """From words to the index terms nearest to them."""

    def __init__(
        self, database: Database, load: Callable[[], Embedder], folder: Path | None = None
    ) -> None:
        """With `folder`, all processes that have the same map the same vectors."""
        self._shared = SharedWords(folder) if folder else None
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
        if not asked or not any(len(part.written) for part in known.parts):
            return {}
        lower = [word.lower() for word in asked]
        nearest = self._nearest(lower, known, enough)
        found: dict[str, tuple[str, ...]] = {}
        for word, written in zip(asked, nearest, strict=True):
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
        there = [vector for vector in map(known.vector, said) if vector is not None]
        if not asked or not there:
            return dict.fromkeys(asked, 0.0)
        vectors = self._vectors([word.lower() for word in asked], known)
        with one_thread():
            nearest = (vectors @ np.array(there).T).max(axis=1)
        return dict(zip(asked, nearest.tolist(), strict=True))

    def _nearest(self, asked: Sequence[str], known: _Known, enough: float) -> list[list[str]]:
        """The words nearest to each of these, the nearest first."""
        with self._lock:
            keys = [(word, enough) for word in asked]
            new = [word for word in dict.fromkeys(asked) if (word, enough) not in known.nearest]
            if len(known.nearest) + len(new) > CACHED:
                known.nearest.clear()
                new = list(dict.fromkeys(asked))
            if new:
                vectors = self._vectors(new, known)
                of_parts = [part.nearest(vectors, BEST, enough) for part in known.parts]
                for word, *near in zip(new, *of_parts, strict=True):
                    best = sorted(chain(*near), key=lambda each: -each.similar)[:BEST]
                    known.nearest[word, enough] = [each.word for each in best]
            return [known.nearest[key] for key in keys]

    def _vectors(self, asked: Sequence[str], known: _Known) -> Vectors:
        """Shape (words, dimensions): words of the pages have their vectors already."""
        found = {word: known.vector(word) for word in asked}
        new = [word for word, vector in found.items() if vector is None]
        if new:
            found |= zip(new, self._multilingual.embed(new), strict=True)
        return np.array([found[word] for word in asked], dtype=np.float32)

    def _caught_up(self, vocabulary: WrittenVocabulary) -> _Known:
        """With the words that have come since; its words only ever grow."""
        with self._lock:
            if self._known.of[0] != vocabulary.identity:
                self._known = self._start(vocabulary)
            if self._known.of != (vocabulary.identity, vocabulary.revision):
                self._known = self._with(vocabulary.plain - self._known.tried, vocabulary)
            return self._known

    def _with(self, new: frozenset[str], vocabulary: WrittenVocabulary) -> _Known:
        before = self._remaining(vocabulary.plain)
        found: dict[str, Vectors] = {}
        missing: list[str] = []
        if wanted := _most_frequent(new, vocabulary):
            found = embedding_cache.known(self._database, self._multilingual, wanted)
            missing = [word for word in wanted if word not in found]
        if missing:
            now = missing[:AT_ONCE]
            embedded, _ = embedding_cache.embed(self._database, self._multilingual, now)
            found |= zip(now, embedded, strict=True)
        shared, own = before.parts
        known = _Known(
            parts=(shared, own.with_more(found)),
            tried=(before.tried | new).difference(missing[AT_ONCE:]),
            of=(vocabulary.identity, vocabulary.revision),
            nearest={} if found else before.nearest,
        )
        return self._kept(known)

    def _remaining(self, plain: frozenset[str]) -> _Known:
        """Without words that no page has any more: of what was deleted none is kept."""
        known = self._known
        if known.tried <= plain:
            return known
        shared, own = (part.only(plain) for part in known.parts)
        left = _Known((WordVectors(), shared.joined(own)), known.tried & plain, known.of)
        if self._shared is not None:
            self._shared.forget()
        return left

    def _kept(self, known: _Known) -> _Known:
        """The same, in the file of this host once enough has come."""
        shared, own = known.parts
        if self._shared is None or len(own.written) <= max(FEW, len(shared.written) // 4):
            return known
        tried = TriedWords(shared.joined(own), Texts.of(sorted(known.tried)))
        saved = self._shared.save(tried, known.of[0], self._multilingual.name)
        return replace(known, parts=(saved.words, WordVectors()))

    def _start(self, vocabulary: WrittenVocabulary) -> _Known:
        """What another process of this host has left."""
        there = None
        if self._shared is not None:
            there = self._shared.load(vocabulary.identity, self._multilingual.name)
        if there is None:
            return _Known()
        return _Known(parts=(there.words, WordVectors()), tried=frozenset(there.tried))

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
