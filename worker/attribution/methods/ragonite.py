"""`paper` and `paper-no-clusters`, to compare with: shares of the evidence, and no verdicts.

The method CFA of RAGonite (Saha Roy et al., WSDM 2025, section 2.4): a group of evidence
contributes 1 - mean cosine similarity over the answers without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.attribution import Effect, Explanation, Spread
from core.models import Record
from worker.attribution.ablation.removed import Removed, label, sources
from worker.attribution.clustering.cluster import paper_clusters
from worker.attribution.methods.method import Material
from worker.attribution.statistics.answer_distance import WHOLE, Comparison, plain
from worker.attribution.statistics.permutation_test import shares, spread_of
from worker.attribution.statistics.word_diff import difference


async def by_cluster(material: Material) -> Explanation:
    chosen = material.options
    clusters = paper_clusters(
        material.record.hits,
        material.embedder,
        eps=chosen.eps,
        min_samples=chosen.min_samples,
    )
    return await _explained(material, clusters)


async def by_piece(material: Material) -> Explanation:
    places = range(len(material.record.hits))
    return await _explained(material, [(place,) for place in places])


async def _explained(material: Material, groups: Sequence[Removed]) -> Explanation:
    """With as many repeats as the paper's, and fewer where the budget asks for it.

    Raises:
        ModelUnavailable: see worker.attribution.ablation.model_calls.
    """
    chosen, record = material.options, material.record
    tested = groups[: chosen.budget.calls]
    skipped = groups[chosen.budget.calls :]
    repeats = 1
    if material.model:
        affordable = chosen.budget.calls // len(tested)
        repeats = min(chosen.paper_repeats, affordable)
    await material.calls.ask(dict.fromkeys(tested, repeats))
    comparison = material.comparison
    effects: list[Effect] = []
    for group in tested:
        answers = material.calls.answers(group)
        effects.append(_of_group(record, group, answers, comparison))
    return Explanation(
        turn_id=material.turn_id,
        effects=by_share(effects, temperature=chosen.temperature),
        repeats=repeats,
        skipped=tuple(label(record, group) for group in skipped),
    )


def by_share(effects: Sequence[Effect], *, temperature: float) -> tuple[Effect, ...]:
    """The effects with their shares, the largest first."""
    means = np.array([effect.away.mean for effect in effects])
    shared: list[Effect] = []
    for effect, share in zip(effects, shares(means, temperature), strict=True):
        shared.append(effect.model_copy(update={"share": float(share)}))
    shared.sort(key=lambda effect: -effect.share)
    return tuple(shared)


def untested(
    record: Record,
    group: Removed,
    change: Spread,
) -> Effect:
    """The effect of removing a group, without a verdict."""
    ids, numbers = sources(record, group)
    return Effect(evidence_ids=ids, source_numbers=numbers, label=label(record, group), away=change)


def _of_group(
    record: Record,
    group: Removed,
    answers: Sequence[str],
    comparison: Comparison,
) -> Effect:
    changes = comparison.changes(answers)
    said = {
        "counterfactual": answers[0],
        "difference": difference(plain(record.answer.text), plain(answers[0])),
    }
    return untested(record, group, spread_of(changes[:, WHOLE])).model_copy(update=said)
