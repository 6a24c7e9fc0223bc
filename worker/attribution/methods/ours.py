"""`ours`: pieces away at random, a rule suggested and confirmed; a test behind each verdict."""

from __future__ import annotations

import hashlib

import numpy as np

from core.attribution import Explanation
from worker.attribution.clustering.cluster import cluster
from worker.attribution.experiment import exact, sampled
from worker.attribution.experiment.prior import prior
from worker.attribution.experiment.result import explained
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.methods.method import Material
from worker.attribution.statistics.losses import SavedAnswer


async def explain(material: Material) -> Explanation:
    """Raises ModelUnavailable: see worker.attribution.ablation.model_calls."""
    chosen, record = material.options, material.record
    saved = SavedAnswer(record.answer.text, material.embedder)
    clusters = cluster(
        record.hits,
        material.embedder,
        eps=chosen.eps,
        min_samples=chosen.min_samples,
    )
    random = np.random.default_rng(_seed(material.turn_id))
    asking = TrialCalls(material.calls, clusters, saved, max_calls=chosen.max_calls, random=random)
    chances = prior(record, clusters, saved)
    if material.model:
        found = await sampled.find(asking, chances, random)
    else:
        found = await exact.find(asking, chances)
    explanation = explained(record, clusters, saved, found, temperature=chosen.temperature)
    return explanation.model_copy(update={"turn_id": material.turn_id})


def _seed(turn_id: str) -> int:
    """Of the design: the same for the same turn, so that a resumed explanation asks the same."""
    return int.from_bytes(hashlib.sha256(turn_id.encode()).digest()[:8])
