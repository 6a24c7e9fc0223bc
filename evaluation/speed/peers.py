"""Peers of the search on the same word salad: bm25s and FTS5 by words, FAISS by meaning.

None of them expands a question, corrects it, knows readers, or reads from our SQL: they say what
the bare work costs here.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

import bm25s
import numpy as np
import psutil

from evaluation.harness.progress import status
from evaluation.speed.salad import DIMENSIONS, Scattered, pages

CANDIDATES = 100  # of each kind of search, as the product takes
AT_ONCE = 10_000  # texts
ASKED = 50  # questions

Figures = dict[str, float]


def measured(size: int, asked: Sequence[str], k: int, folder: Path) -> Figures:
    """Processor milliseconds of a question, its embedding left out, and megabytes."""
    questions = asked[:ASKED]
    with status(f"bm25s of {size:,}"):
        found = _bm25s(size, questions, k)
    with status(f"FTS5 of {size:,}"):
        found |= _fts5(size, questions, k, folder / "fts5.db")
    with status(f"FAISS of {size:,}"):
        return found | _faiss(size, questions)


def _bm25s(size: int, asked: Sequence[str], k: int) -> Figures:
    before = psutil.Process().memory_info().rss
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(_texts(size)), show_progress=False), show_progress=False)
    held = psutil.Process().memory_info().rss - before
    searches = [partial(_by_words, index, question, k) for question in asked]
    return {"bm25s, ms": _median(searches), "bm25s, MB": round(held / 1e6)}


def _by_words(index: bm25s.BM25, question: str, k: int) -> None:
    tokens = bm25s.tokenize([question], show_progress=False)
    index.retrieve(tokens, k=k, show_progress=False)


def _fts5(size: int, asked: Sequence[str], k: int, file: Path) -> Figures:
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE VIRTUAL TABLE piece USING fts5(text, content='')")
        database.executemany("INSERT INTO piece (text) VALUES (?)", ((t,) for t in _texts(size)))
        database.commit()
        query = "SELECT rowid FROM piece WHERE piece MATCH ? ORDER BY rank LIMIT ?"
        matches = [" OR ".join(question.strip("?").split()) for question in asked]
        searches = [partial(_fetched, database, query, (match, k)) for match in matches]
        figures = {"FTS5, ms": _median(searches)}
    return figures | {"FTS5, MB": round(file.stat().st_size / 1e6)}


def _fetched(database: sqlite3.Connection, query: str, values: tuple[str, int]) -> None:
    database.execute(query, values).fetchall()


def _faiss(size: int, asked: Sequence[str]) -> Figures:
    import faiss  # noqa: PLC0415  (in an extra, and no other measure needs it)

    faiss.omp_set_num_threads(1)
    encoder = Scattered()
    flat, binary = faiss.IndexFlatIP(DIMENSIONS), faiss.IndexBinaryFlat(DIMENSIONS)
    texts = _texts(size)
    while batch := list(islice(texts, AT_ONCE)):
        vectors = encoder.embed(batch)
        flat.add(vectors)
        binary.add(np.packbits(vectors > 0, axis=1))
    embedded = [encoder.embed([question]) for question in asked]
    bits = [np.packbits(vector > 0, axis=1) for vector in embedded]
    exact = [partial(flat.search, vector, CANDIDATES) for vector in embedded]
    by_bits = [partial(binary.search, each, CANDIDATES) for each in bits]
    return {
        "FAISS flat, ms": _median(exact),
        "FAISS flat, MB": round(4 * size * DIMENSIONS / 1e6),
        "FAISS binary, ms": _median(by_bits),
        "FAISS binary, MB": round(size * DIMENSIONS / 8e6),
    }


def _texts(size: int) -> Iterator[str]:
    for page, made in pages(size):
        for piece in made:
            yield f"{page.title}\n{piece.text}"


def _median(searches: Sequence[Callable[[], object]]) -> float:
    return round(median(map(_ms, searches)), 2)


def _ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
