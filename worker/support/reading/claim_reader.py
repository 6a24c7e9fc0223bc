"""The claim reader: how likely a passage says what a sentence of an answer claims.

The packaged encoder, trained on claims that people wrote about wikis, right and wrong in one point,
and on questions of SQuAD with their own answers and those of others. `python -m evaluation claims`
trains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.encoder.bundled import BEGIN, END, encoder, trained_from
from core.encoder.classifier import Classifier
from core.encoder.network import ReadTokens
from core.encoder.word_pieces import WordPieces

TRAINED = Path(__file__).with_name("trained.npz")
LONGEST_CLAIM, LONGEST_PASSAGE = 80, 240  # tokens that are read; hardly a passage has more


class ClaimReader:
    """Reads claims beside passages. Threads may share it."""

    def __init__(self, network: Classifier, pieces: WordPieces) -> None:
        self._network = network
        self._pieces = pieces

    def read(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        """Log-odds that each passage says its claim; (claim, passage) in."""
        rows = [row_of(claim, passage, self._pieces) for claim, passage in claims]
        return [float(score) for score in self._network.scores(rows)[:, 0]] if rows else []


@cache
def bundled() -> ClaimReader:
    """The reader that is shipped, loaded once in a process.

    Raises:
        SettingsError: the package with the encoder is not there.
    """
    file, pieces = encoder()
    return ClaimReader(Classifier(file, trained_from(TRAINED)), pieces)


def row_of(claim: str, passage: str, pieces: WordPieces) -> ReadTokens:
    """The claim, then the passage."""
    begin = [BEGIN, *pieces.encode(claim, LONGEST_CLAIM).ids, END, END]
    return ReadTokens([*begin, *pieces.encode(passage, LONGEST_PASSAGE).ids, END], len(begin))
