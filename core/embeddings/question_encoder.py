"""The question encoder: a question's vector, moved to where its answers stand.

People ask in other words than pages say it, and the bundled embedder, made for any two sentences,
leaves a question where sentences like it are. The encoder that reads texts was trained to say how
a question has to move so that it comes near to what answers it; the vectors of pages stay as
they are, so an index need not be made anew (dual encoders whose passages are fixed: Karpukhin et
al. 2020, https://arxiv.org/abs/2004.04906). `python -m evaluation question-encoder` trains and
measures it; docs/benchmarks.md says how the weights that ship were made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from core.encoder.bundled import BEGIN, END, encoder, trained_from
from core.encoder.network import Linear, Network, ReadTokens
from core.encoder.weights import EncoderFile, Matrix
from core.encoder.word_pieces import WordPieces
from core.one_thread import one_thread

TRAINED = Path(__file__).with_name("question_encoder.npz")
AT_ONCE = 64  # questions: more of them only take more memory
LONGEST = 30  # tokens that are read: a question, and the beginning of what it goes on with
MARK = "query: "  # how the encoder was taught to know a question


class QuestionEncoder:
    """Says how questions move. Threads may share it."""

    def __init__(
        self, file: EncoderFile, pieces: WordPieces, trained: Mapping[str, Matrix]
    ) -> None:
        self._network = Network(file, trained)
        self._head = Linear(trained["head.weight"].T, trained["head.bias"])
        self._pieces = pieces

    def moves(self, questions: Sequence[str]) -> Matrix:
        """What to add to the unit vectors of these questions, shape (questions, dimensions)."""
        rows = [row_of(question, self._pieces) for question in questions]
        with one_thread():
            means = [
                state.mean(axis=0)
                for start in range(0, len(rows), AT_ONCE)
                for state in self._network.states(rows[start : start + AT_ONCE])
            ]
            return self._head(np.stack(means))


def load() -> QuestionEncoder:
    """The one that is shipped.

    Raises:
        SettingsError: the package with the encoder is not there.
    """
    file, pieces = encoder()
    return QuestionEncoder(file, pieces, trained_from(TRAINED))


def row_of(question: str, pieces: WordPieces) -> ReadTokens:
    """A question as the encoder reads it."""
    tokens = pieces.encode(MARK + question, LONGEST).ids
    return ReadTokens([BEGIN, *tokens, END], len(tokens) + 2)
