"""The network that reads: what was trained stands beside layers that all readers share."""

from __future__ import annotations

import numpy as np
import pytest

from core.encoder.bundled import encoder
from core.encoder.classifier import AT_ONCE, Classifier
from core.encoder.network import ChangedLinear, Linear, Network, ReadTokens
from core.encoder.weights import Matrix


@pytest.fixture(scope="module")
def trained() -> dict[str, Matrix]:
    """Weights as a training leaves them: two layers changed, and a head of two outputs."""
    random = np.random.default_rng(1)

    def drawn(*shape: int) -> Matrix:
        return np.asarray(random.normal(0, 0.02, shape), np.float32)

    found = {"seg": drawn(2, 384), "head.0.weight": drawn(384, 384), "head.0.bias": drawn(384)}
    found |= {"head.2.weight": drawn(2, 384), "head.2.bias": drawn(2)}
    for layer in (10, 11):
        found |= {f"layers.{layer}.o.a": drawn(16, 384), f"layers.{layer}.o.c": drawn(384, 16)}
    return found


def rows(number: int) -> list[ReadTokens]:
    return [ReadTokens([0, 5 + place, 2, 2, 900, 7, 2], 4) for place in range(number)]


def test_a_change_beside_a_layer_is_one_that_is_added_to_it() -> None:
    random = np.random.default_rng(2)
    weights, low, high, of = (
        np.asarray(random.normal(size=shape), np.float32)
        for shape in ((8, 6), (8, 2), (2, 6), (3, 8))
    )
    bias = np.ones(6, np.float32)
    beside = ChangedLinear(Linear(weights, bias), low, high)(of)
    assert beside == pytest.approx(Linear(weights + low @ high, bias)(of), abs=1e-4)


def test_two_readers_share_the_packaged_layers(trained: dict[str, Matrix]) -> None:
    file, _ = encoder()
    changed, packaged = Network(file, trained), Network(file, {"seg": trained["seg"]})
    for one, other in zip(changed._layers, packaged._layers, strict=True):
        mixed = one.mixed.layer if isinstance(one.mixed, ChangedLinear) else one.mixed
        assert mixed is other.mixed
    assert not np.allclose(changed.states(rows(1))[0], packaged.states(rows(1))[0], atol=1e-3)


def test_what_is_said_of_a_row_does_not_depend_on_those_beside_it(
    trained: dict[str, Matrix],
) -> None:
    reader = Classifier(encoder()[0], trained)
    many = rows(AT_ONCE + 3)
    found = reader.scores(many)
    assert found.shape == (len(many), 2)
    assert found[-1] == pytest.approx(reader.scores(many[-1:])[0], abs=1e-4)
