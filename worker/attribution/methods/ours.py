"""`ours`: clusters of evidence removed, and a statistical test behind each verdict."""

from __future__ import annotations

from core.attribution import Explanation
from worker.attribution.causal import result
from worker.attribution.causal.budget import Allotment, allot
from worker.attribution.causal.experiment import Experiment
from worker.attribution.causal.finding import find
from worker.attribution.clustering.cluster import cluster
from worker.attribution.methods.method import AttributionMethod, Material
from worker.attribution.statistics import permutation_test


async def explain(material: Material) -> Explanation:
    """Raises ModelUnavailable: see worker.attribution.ablation.model_calls."""
    chosen, record = material.options, material.record
    comparison = material.comparison
    clusters = cluster(
        record.hits,
        material.embedder,
        eps=chosen.eps,
        min_samples=chosen.min_samples,
    )
    experiment = Experiment(
        material.calls,
        comparison,
        allot(chosen.max_calls, len(clusters), chosen.repeats),
        max_calls=chosen.max_calls,
        exact=not material.model,
        rounds=chosen.rounds,
    )
    found = await find(record, clusters, experiment, comparison, material.embedder)
    explanation = result.explained(
        material.turn_id,
        record,
        found,
        temperature=chosen.temperature,
    )
    allotted = experiment.allotted
    facts = {"test": _test(material, allotted), "repeats": allotted.repeats}
    return explanation.model_copy(update=facts)


def _test(material: Material, allotted: Allotment) -> str:
    """The name of the test; quoted answers do not vary, so there is none."""
    if not material.model:
        return ""
    return permutation_test.NAME if allotted.is_enough else permutation_test.NONE


OURS = AttributionMethod(explain, tested=True)
