"""What the reader of texts was trained for: whether a text answers, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.encoder.classifier import Head
from core.encoder.network import Linear, Network, ReadTokens
from core.encoder.weights import EncoderFile, Matrix


class AnswerNetwork:
    """The encoder with two heads (Devlin et al. 2018)."""

    def __init__(self, encoder: EncoderFile, trained: Mapping[str, Matrix]) -> None:
        self._network = Network(encoder, trained)
        self._answers = Head(trained)
        self._spans = Linear(trained["span.weight"].T, trained["span.bias"])

    def read(self, asked: Sequence[ReadTokens]) -> tuple[Matrix, list[Matrix]]:
        """Log-odds that each text answers, shape (texts,), and those of where the answer begins and
        ends, for each text of shape (tokens, 2); the first token stands for `nowhere`.
        """
        states = self._network.states(asked)
        return self._answers.scores(states)[:, 0], [self._spans(state) for state in states]
