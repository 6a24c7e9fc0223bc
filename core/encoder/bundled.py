"""The encoder of the default install, loaded once in a process, whoever reads with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from core.encoder.weights import EncoderFile, Matrix, encoder_path
from core.encoder.word_pieces import WordPieces

BEGIN, END = 0, 2  # tokens of its vocabulary


@cache
def encoder() -> tuple[EncoderFile, WordPieces]:
    """The file, and what splits texts for it.

    Raises:
        SettingsError: the package with the encoder is not there.
    """
    file = EncoderFile(encoder_path())
    return file, word_pieces(file)


def word_pieces(file: EncoderFile) -> WordPieces:
    """What splits texts for an encoder."""
    return WordPieces(file.numbers, file.scores.tolist())


def trained_from(file: Path) -> dict[str, Matrix]:
    """The changes of its upper layers, and the heads, as a training has saved them."""
    with np.load(file) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}
