"""BM25F: BM25 over several fields, each with its own weight and its own length normalization.

Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3.6: the frequencies of a term are
added up over the fields, weighted and normalized by length, before they are saturated by k1. k1, b and the weights were
chosen on the development half of ConfQuestions, among values that differ by less than the noise (docs/benchmarks.md).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

K1 = 0.9
T = TypeVar("T")


class Fields(NamedTuple, Generic[T]):
    """One value per field of a piece."""

    title: T
    path: T
    body: T


WEIGHTS = Fields(2.0, 1.5, 1.0)
B = Fields(0.4, 0.4, 0.4)  # low: long pieces are not worse pieces


class Statistics(NamedTuple):
    """What the whole index says about a question: how rare its terms are, and how long a field is on average."""

    pieces: int
    frequencies: Mapping[str, int]  # of each term of the question, the number of pieces it occurs in
    mean_lengths: Fields[float]


def bm25f(piece: Fields[str], statistics: Statistics) -> float:
    """The score of one piece, given as terms with spaces between them; lengths are in characters."""
    frequencies = dict.fromkeys(statistics.frequencies, 0.0)
    for text, weight, b, mean in zip(piece, WEIGHTS, B, statistics.mean_lengths, strict=True):
        norm = 1 - b + b * len(text) / (mean or 1)
        for term, count in Counter(text.split()).items():
            if term in frequencies:
                frequencies[term] += weight * count / norm
    return sum(_idf(statistics, term) * tf / (K1 + tf) for term, tf in frequencies.items() if tf)


def _idf(statistics: Statistics, term: str) -> float:
    df = statistics.frequencies[term]
    return math.log(1 + (statistics.pieces - df + 0.5) / (df + 0.5))
