"""The question encoder that is trained is the one that is asked."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from core.embeddings.bundled import Bundled
from core.embeddings.question_encoder import QuestionEncoder
from core.encoder.bundled import encoder, trained_from
from evaluation.employees.wikis import AskedSet
from evaluation.question_encoder.asked import Asked

pytestmark = pytest.mark.models
torch = pytest.importorskip("torch")


def test_what_was_trained_moves_questions_alike_in_numpy(tmp_path: Path, embedder: Bundled) -> None:
    training = import_module("evaluation.question_encoder.training")
    pages = embedder.embed(["The gate is 4 m high.", "Tea is at four.", "Ask Ada."])
    asked = [
        Asked("headroom at the entrance", AskedSet.OTHERWISE, pages, [0]),
        Asked("when do we get a cuppa", AskedSet.OTHERWISE, pages, [1]),
    ] * training.BATCH
    network = training.train_questions(asked, 3, tmp_path / "trained.npz")
    network.eval()
    torch.nn.init.normal_(network.head.weight, std=0.05)  # three steps alone move nothing far
    np.savez(tmp_path / "trained.npz", **dict(network.trained()))
    file, pieces = encoder()
    examples = training.Questions(pieces).examples([(each.text, each) for each in asked[:2]])
    vectors = np.stack([each.vector for each in examples])
    rows = import_module("evaluation.training.steps").rows_of(examples)
    with torch.no_grad():
        expected = network(rows, torch.from_numpy(vectors)).numpy()
    read = QuestionEncoder(file, pieces, trained_from(tmp_path / "trained.npz"))
    moved = vectors + read.moves([each.text for each in asked[:2]])
    found = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    assert found == pytest.approx(expected, abs=0.02)  # weights are kept in 16 bits
    assert np.abs(expected - vectors).max() > 0.1
