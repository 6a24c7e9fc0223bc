"""Vectors of questions for the console: each is made once, and no question is kept for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256

import numpy as np

from core.embeddings import Embedder, Vectors

MOST = 4_000  # vectors that are kept, of 2 KB


class QuestionVectors:
    """Remembers vectors by the hash of their text; the encoder is loaded when it is needed."""

    def __init__(self, encoder: Callable[[], Embedder]) -> None:
        self._encoder = encoder
        self._known: OrderedDict[bytes, Vectors] = OrderedDict()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        keys = [sha256(text.encode()).digest() for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        missing = {key: text for key, text in by_key.items() if key not in self._known}
        if missing:
            made = self._encoder().embed(list(missing.values()))
            self._known.update(zip(missing, made, strict=True))
        if not keys:
            return np.zeros((0, 1), np.float32)
        vectors = np.stack([self._known[key] for key in keys])
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return vectors
