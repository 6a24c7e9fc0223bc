"""Vectors of texts that are compared more than once: each text is embedded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.embeddings import Embedder, Vectors


class EmbeddedOnce:
    """An embedder that remembers every text: to be forgotten with what it was made for."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        known = [self._known[text] for text in texts]
        return np.stack(known) if known else self._embedder.embed([])
