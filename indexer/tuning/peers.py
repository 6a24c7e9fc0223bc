"""Peers: bm25s and SQLite FTS5 over the same pages, to compare our search of evidence with.

They are set as somebody competent would set them who has an afternoon: title, headings and text of
each unit, stop words and stemming of the pages' language, the libraries' own k1 and b.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import bm25s
import snowballstemmer

# What each library calls a language of pages: Snowball's stemmer, bm25s's stop words. FTS5 has
# Porter's stemmer for English, and none for German.
STEMMERS = {"en": "english", "de": "german"}
TOKENIZERS = {"en": "porter unicode61 remove_diacritics 2", "de": "unicode61 remove_diacritics 2"}
_WORD = re.compile(r"\w+")


class Unit(NamedTuple):
    """What a peer finds: a piece of a page, or the whole page."""

    title: str
    headings: str
    text: str


class Peer(Protocol):
    """A search over units."""

    def best(self, question: str, most: int) -> list[int]:
        """The places of the best units, the best first; fewer where fewer share a word."""


class Bm25s:
    """bm25s with Lucene's variant of BM25, its default."""

    def __init__(self, units: Sequence[Unit], language: str) -> None:
        # It sets its own logger to DEBUG when it is imported.
        logging.getLogger("bm25s").setLevel(logging.WARNING)
        self._language = STEMMERS[language]
        self._stem = snowballstemmer.stemmer(self._language).stemWords
        self._size = len(units)
        self._index = bm25s.BM25()
        self._index.index(self._tokens(list(map(" ".join, units))), show_progress=False)

    def best(self, question: str, most: int) -> list[int]:
        most = min(most, self._size)
        tokens = self._tokens([question])
        if not any(tokens):
            return []
        found, scores = self._index.retrieve(tokens, k=most, show_progress=False)
        return [int(place) for place, score in zip(found[0], scores[0], strict=True) if score > 0]

    def _tokens(self, texts: list[str]) -> list[list[str]]:
        found: list[list[str]] = bm25s.tokenize(
            texts,
            stopwords=self._language,
            stemmer=self._stem,
            return_ids=False,
            show_progress=False,
        )
        return found


class Fts5:
    """SQLite's full-text search, ordered by its own bm25()."""

    def __init__(self, units: Sequence[Unit], language: str) -> None:
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        tokenizer = TOKENIZERS[language]
        self._database.execute(
            f"CREATE VIRTUAL TABLE units USING fts5(title, headings, text, tokenize='{tokenizer}')"
        )
        rows = ((place, *unit) for place, unit in enumerate(units))
        self._database.executemany(
            "INSERT INTO units (rowid, title, headings, text) VALUES (?, ?, ?, ?)", rows
        )

    def best(self, question: str, most: int) -> list[int]:
        """Any of the words: all of them stand in no unit."""
        words = dict.fromkeys(_WORD.findall(question.lower()))
        if not words:
            return []
        any_word = " OR ".join(f'"{word}"' for word in words)
        found = self._database.execute(
            "SELECT rowid FROM units WHERE units MATCH ? ORDER BY bm25(units), rowid LIMIT ?",
            (any_word, most),
        )
        return [int(place) for (place,) in found]


# By the name in the tables.
PEERS: Mapping[str, Callable[[Sequence[Unit], str], Peer]] = {"bm25s": Bm25s, "FTS5": Fts5}
