"""From a revocation to silence: the figures are of the product, within its stated budget."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import redis

from core.embeddings.bundled import Bundled
from evaluation.access.revocation import REVOCATIONS, Audience, silence
from evaluation.access.steps import History
from evaluation.access.theatre import theatre
from evaluation.access.variants import Variant

VALID_S = 1.0
SPARE_S = 0.5  # a slow machine may take it between the gate and the clock


def test_all_is_silent_when_a_confirmation_is_over(
    tmp_path: Path, embedder: Bundled, queues: redis.Redis
) -> None:
    del queues
    audience = Audience(
        Variant(on_cloud=False, aware=True, has_witness=False, is_linked=True), private=True
    )
    history = History(0, audience.variant, has_model=False, scans_all=True, steps=())
    with (
        theatre(tmp_path / "stage", embedder, valid_s=VALID_S) as stage,
        stage.scene(history) as scene,
    ):
        found = silence(scene, audience)
    assert found.keys() == REVOCATIONS.keys()
    seconds = [cast(float, each) for each in found.values()]
    assert max(seconds) <= VALID_S + SPARE_S
    assert len(scene.outlet.sent) > len(REVOCATIONS)
