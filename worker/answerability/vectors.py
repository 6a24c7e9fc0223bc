"""Vectors of questions and of what was found for them: each text is embedded once.

A gate and a badge ask for the same ones, and so does an answer that is made again for its
explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.embeddings import Embedder, Vectors

REMEMBERED = 4096  # texts; 8 MB with the bundled encoder


class RememberedVectors:
    """The bundled encoder, loaded when it is first asked."""

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._known: dict[str, Vectors] = {}

    def of(self, texts: Sequence[str]) -> Vectors:
        """Shape (texts, dimensions), each of length 1; of at least one text."""
        known = self._known
        new = [text for text in dict.fromkeys(texts) if text not in known]
        added = dict(zip(new, self._load().embed(new), strict=True)) if new else {}
        # A new dictionary, since other threads may read the old one.
        whole = known | added
        self._known = whole if len(whole) <= REMEMBERED else added
        return np.stack([whole[text] for text in texts])
