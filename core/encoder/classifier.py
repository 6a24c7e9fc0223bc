"""The encoder with a head over its first token (Devlin et al. 2018): what rows of texts are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.encoder.network import Linear, Network, ReadTokens
from core.encoder.weights import EncoderFile, Matrix
from core.one_thread import one_thread

AT_ONCE = 8  # rows: more of them only take more memory


class Head:
    """What a training has made of the state of the first token."""

    def __init__(self, trained: Mapping[str, Matrix]) -> None:
        self._hidden = Linear(trained["head.0.weight"].T, trained["head.0.bias"])
        self._outputs = Linear(trained["head.2.weight"].T, trained["head.2.bias"])

    def scores(self, states: Sequence[Matrix]) -> Matrix:
        """Of each row's states one score for each output, shape (rows, outputs)."""
        first = np.stack([state[0] for state in states])
        return self._outputs(np.tanh(self._hidden(first)))


class Classifier:
    """Threads may share it."""

    def __init__(self, encoder: EncoderFile, trained: Mapping[str, Matrix]) -> None:
        self._network = Network(encoder, trained)
        self._head = Head(trained)

    def scores(self, rows: Sequence[ReadTokens]) -> Matrix:
        """One score for each output, shape (rows, outputs)."""
        with one_thread():
            parts = [
                self._head.scores(self._network.states(rows[start : start + AT_ONCE]))
                for start in range(0, len(rows), AT_ONCE)
            ]
        return np.concatenate(parts)
