"""`ours`: pieces away at random, a rule suggested and confirmed; a test behind each verdict."""

from __future__ import annotations

from core.attribution import AnswerVerdict, Explanation
from worker.attribution.clustering.cluster import cluster
from worker.attribution.experiment import exact
from worker.attribution.experiment.asking import Asking
from worker.attribution.experiment.prior import prior
from worker.attribution.experiment.result import explained
from worker.attribution.methods.method import Material
from worker.attribution.statistics.losses import SavedAnswer


async def explain(material: Material) -> Explanation:
    """Raises ModelUnavailable: see worker.attribution.ablation.model_calls."""
    chosen, record = material.options, material.record
    saved = SavedAnswer(record.answer.text)
    clusters = cluster(
        record.hits,
        material.embedder,
        eps=chosen.eps,
        min_samples=chosen.min_samples,
    )
    asking = Asking(material.calls, clusters, saved, max_calls=chosen.max_calls)
    if material.model:
        return Explanation(turn_id=material.turn_id, verdict=AnswerVerdict.NOT_TESTED)
    found = await exact.find(asking, prior(record, clusters, saved))
    explanation = explained(record, clusters, saved, found, temperature=chosen.temperature)
    return explanation.model_copy(update={"turn_id": material.turn_id})
