"""Peers of the search on the same word salad: bm25s by words, FAISS without an index by meaning.

Neither expands a question, corrects it, or reads from SQL: they say what the bare work costs here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

import bm25s
import faiss

from evaluation.speed.salad import Scattered, pages

CANDIDATES = 100  # of each kind of search, as the product takes


def measured(size: int, asked: Sequence[str], k: int) -> dict[str, float]:
    """Processor milliseconds of a question, its embedding left out."""
    texts = [f"{page.title}\n{piece.text}" for page, made in pages(size) for piece in made]
    words = bm25s.BM25()
    words.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    encoder = Scattered()
    faiss.omp_set_num_threads(1)
    vectors = encoder.embed(texts)
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    by_words = [partial(_by_words, words, question, k) for question in asked]
    by_meaning = [partial(flat.search, encoder.embed([each]), CANDIDATES) for each in asked]
    return {
        "bm25s, processor ms": round(median(map(_ms, by_words)), 2),
        "FAISS flat, processor ms": round(median(map(_ms, by_meaning)), 2),
    }


def _by_words(index: bm25s.BM25, question: str, k: int) -> None:
    tokens = bm25s.tokenize([question], show_progress=False)
    index.retrieve(tokens, k=k, show_progress=False)


def _ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
