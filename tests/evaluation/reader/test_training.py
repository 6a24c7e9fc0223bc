"""The network that is trained is the network that reads."""

from __future__ import annotations

from importlib import import_module
from itertools import cycle
from pathlib import Path
from random import Random

import numpy as np
import pytest
import typer

from core.encoder.bundled import word_pieces
from core.encoder.weights import EncoderFile, encoder_path
from evaluation.reader.squad import Example
from worker.reading.heads import AnswerNetwork

pytestmark = pytest.mark.models
torch = pytest.importorskip("torch")

GATE = Example("How high is the gate?", "Gates. The gate is 4 m high.", True, (19, 22))
NONE = Example("How high is the gate?", "Gates. The gate is green.", False)


def test_what_was_trained_reads_the_same_in_numpy() -> None:
    training = import_module("evaluation.reader.training")
    torch.manual_seed(1)
    encoder = EncoderFile(encoder_path())
    words = word_pieces(encoder)
    network = import_module("evaluation.reader.training").TrainableReader(encoder)
    tokens = [each for each in (training.tokens_of(one, words) for one in (GATE, NONE)) if each]
    contrast = training.read_contrast((GATE, NONE), words)
    losses = list(training.train(network, cycle([contrast] * 4), 30, Random(1)))
    assert losses[-1] < losses[0]
    assert 0 <= training.power(network, tokens) <= 1
    rows = import_module("evaluation.training.steps").rows_of(tokens)
    with torch.no_grad():
        expected, where = network(rows)
    reading = AnswerNetwork(encoder, dict(network.trained()))
    found, spans = reading.read([each.row for each in tokens])
    assert found == pytest.approx(expected.numpy(), abs=0.05)  # weights are kept in 16 bits
    assert spans[0] == pytest.approx(where[0, : len(tokens[0].row.tokens)].numpy(), abs=0.1)
    again = import_module("evaluation.reader.training").TrainableReader(encoder)
    again.take_up(dict(network.trained()))
    with torch.no_grad():
        same, _ = again(rows)
    assert same.numpy() == pytest.approx(expected.numpy(), abs=0.05)


def test_a_file_that_holds_no_weights_of_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encoding = import_module("evaluation.training.encoder")
    encoder = EncoderFile(encoder_path())
    network = import_module("evaluation.reader.training").TrainableReader(encoder)
    others = tmp_path / "others.npz"
    np.savez(others, head=np.zeros(2))
    text = tmp_path / "weights.txt"
    text.write_text("no weights")
    for file in (others, text):
        with pytest.raises(typer.Exit):
            encoding.go_on(network, file)
        assert f"{file} holds no weights of this network" in capsys.readouterr().err


def test_weights_move_by_a_share_of_the_way() -> None:
    network = import_module("evaluation.reader.training").TrainableReader(
        EncoderFile(encoder_path())
    )
    before = dict(network.trained())
    ones = {name: np.ones_like(value) for name, value in before.items()}
    network.take_up(ones, 0.25)
    for name, value in network.trained():
        expected = 0.75 * before[name].astype(np.float32) + 0.25
        assert value == pytest.approx(expected, abs=0.01)
