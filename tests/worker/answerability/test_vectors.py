"""What is embedded, and how often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.embeddings import Vectors
from worker.answerability.vectors import REMEMBERED, RememberedVectors


class Counting:
    """Embeds a text as its length, and counts what it is asked for."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], np.float32)


def test_each_text_is_embedded_once() -> None:
    embedder = Counting()
    vectors = RememberedVectors(lambda: embedder)
    first = vectors.of(["one", "three", "one"])
    again = vectors.of(["three", "eleven"])
    assert embedder.asked == ["one", "three", "eleven"]
    assert first[:, 0].tolist() == [3, 5, 3]
    assert again[:, 0].tolist() == [5, 6]


def test_what_was_remembered_is_forgotten_when_it_is_too_much() -> None:
    embedder = Counting()
    vectors = RememberedVectors(lambda: embedder)
    vectors.of([str(number) for number in range(REMEMBERED)])
    embedder.asked.clear()
    vectors.of(["one more", "0"])
    vectors.of(["1"])
    assert embedder.asked == ["one more", "1"]
