"""The methods of the paper, to compare with: RAGonite (Saha Roy et al., WSDM 2025, section 2.4). Shares, and no verdicts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.attribution import Effect, Explanation, Method, Spread
from core.embeddings import Embedder
from core.models import Record
from worker.attribution.ablation.model_calls import Calls
from worker.attribution.ablation.removed import Removed, label, sources
from worker.attribution.statistics.answer_distance import Comparison, plain
from worker.attribution.statistics.permutation_test import shares, spread
from worker.attribution.statistics.word_diff import difference


async def effects(
    record: Record, groups: Sequence[Removed], calls: Calls, comparison: Comparison, *, repeats: int
) -> list[Effect]:
    """`CFA`: the contribution of each group is 1 - mean cosine similarity over `repeats` answers without it.

    Raises:
        ModelUnavailable: see worker.attribution.ablation.model_calls.
    """
    await calls.ask(dict.fromkeys(groups, repeats))
    return [_of_group(record, group, calls.answers(group), comparison) for group in groups]


def similarities(
    turn_id: str, record: Record, embedder: Embedder, *, temperature: float
) -> Explanation:
    """`naive`: the cosine similarity of the answer and each piece, in place of a change; nothing is asked."""
    answer, *pieces = embedder.embed(
        [plain(record.answer.text), *(hit.evidence.text for hit in record.hits)]
    )
    nearness = [max(0.0, float(piece @ answer)) for piece in pieces]
    found = [
        _effect(record, (n,), Spread(mean=near, low=near, high=near))
        for n, near in enumerate(nearness)
    ]
    return explained(turn_id, found, temperature=temperature).model_copy(
        update={"method": Method.NAIVE}
    )


def explained(turn_id: str, effects: Sequence[Effect], *, temperature: float) -> Explanation:
    """The effects with their shares, the largest first."""
    shared = shares(np.array([effect.change.mean for effect in effects]), temperature)
    ordered = sorted(zip(shared, effects, strict=True), key=lambda pair: -pair[0])
    return Explanation(
        turn_id=turn_id,
        effects=tuple(
            effect.model_copy(update={"share": float(share)}) for share, effect in ordered
        ),
    )


def _of_group(
    record: Record, group: Removed, answers: Sequence[str], comparison: Comparison
) -> Effect:
    changes = comparison.changes(answers)
    difference_ = difference(plain(record.answer.text), plain(answers[0]))
    return _effect(record, group, spread(changes, changes)).model_copy(
        update={"counterfactual": answers[0], "difference": difference_}
    )


def _effect(record: Record, group: Removed, change: Spread) -> Effect:
    ids, numbers = sources(record, group)
    return Effect(
        evidence_ids=ids, source_numbers=numbers, label=label(record, group), change=change
    )
