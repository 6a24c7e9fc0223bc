"""bge-m3 through FlagEmbedding, by name or path: its dense vectors; needs the extra `models`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from FlagEmbedding import BGEM3FlagModel

from core.embeddings import Vectors, unit
from core.settings import Settings


class Flag:
    """The dense head of a bge-m3 model."""

    def __init__(self, name: str) -> None:
        self.name = name
        # Half precision is slower than single on a CPU.
        self._model = BGEM3FlagModel(name, use_fp16=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        encoded = self._model.encode(list(texts))
        return unit(np.asarray(encoded["dense_vecs"], dtype=np.float32))


def load(argument: str, _settings: Settings) -> Flag:
    return Flag(argument)
