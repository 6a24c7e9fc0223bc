"""Any sentence-transformers model, by name or path; needs the extra `models`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sentence_transformers import SentenceTransformer

from core.embeddings import Vectors, unit
from core.settings import Settings


class Transformers:
    """A sentence-transformers model on whatever device it finds."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._model = SentenceTransformer(name)

    def embed(self, texts: Sequence[str]) -> Vectors:
        encoded = self._model.encode(list(texts), show_progress_bar=False)
        return unit(np.asarray(encoded, dtype=np.float32))


def load(argument: str, _settings: Settings) -> Transformers:
    return Transformers(argument)
