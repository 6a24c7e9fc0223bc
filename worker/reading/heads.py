"""What the reader of texts was trained for: whether a text answers, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.encoder.network import Linear, Network, ReadTokens, hidden_of
from core.encoder.weights import EncoderFile, Matrix


class AnswerNetwork:
    """The encoder with two heads (Devlin et al. 2018)."""

    def __init__(self, encoder: EncoderFile, trained: Mapping[str, Matrix]) -> None:
        self._network = Network(encoder, trained)
        self._hidden = hidden_of(trained)
        self._answers = Linear(trained["head.2.weight"].T, trained["head.2.bias"])
        self._spans = Linear(trained["span.weight"].T, trained["span.bias"])

    def read(self, asked: Sequence[ReadTokens]) -> tuple[Matrix, list[Matrix]]:
        """Log-odds that each text answers, shape (texts,), and those of where the answer begins and
        ends, for each text of shape (tokens, 2); the first token stands for `nowhere`.
        """
        states = self._network.states(asked)
        first = np.stack([state[0] for state in states])
        answers = self._answers(np.tanh(self._hidden(first)))[:, 0]
        return answers, [self._spans(state) for state in states]
