"""Vectors of texts that are compared more than once: each text is embedded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from core.embeddings import Embedder, Vectors, embed_questions


class EmbeddedOnce:
    """An embedder that remembers every text: to be forgotten with what it was made for."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self._asked: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._once(texts, self._known, self._embedder.embed)

    def embed_questions(self, questions: Sequence[str]) -> Vectors:
        return self._once(questions, self._asked, partial(embed_questions, self._embedder))

    def _once(
        self,
        texts: Sequence[str],
        known: dict[str, Vectors],
        embed: Callable[[Sequence[str]], Vectors],
    ) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embed(new), strict=True))
        found = [known[text] for text in texts]
        return np.stack(found) if found else self._embedder.embed([])
