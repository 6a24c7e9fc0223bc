"""Reciprocal rank fusion against an example computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.evidence.ranking.fusion import Signal, make_signal
from evaluation.retrieval.paper import rrf


def signal(*values: float) -> Signal:
    scores = np.array(values, np.float32)
    return make_signal(scores, scores, 1.0)


def test_ranks_are_fused_as_in_the_paper() -> None:
    # a: first and second; b: second and first; c: third by meaning alone.
    words = signal(9, 5, 0)
    meaning = signal(0.8, 0.9, 0.7)
    assert rrf([words, meaning]) == pytest.approx([1 / 61 + 1 / 62, 1 / 62 + 1 / 61, 1 / 63])
