"""The methods of the paper RAGonite, to compare with: shares of the evidence, and no verdicts.

Saha Roy et al., WSDM 2025, section 2.4.
"""

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
    record: Record,
    groups: Sequence[Removed],
    calls: Calls,
    comparison: Comparison,
    *,
    repeats: int,
) -> list[Effect]:
    """`CFA`: a group contributes 1 - mean cosine similarity over `repeats` answers without it.

    Raises:
        ModelUnavailable: see worker.attribution.ablation.model_calls.
    """
    await calls.ask(dict.fromkeys(groups, repeats))
    found: list[Effect] = []
    for group in groups:
        answers = calls.answers(group)
        found.append(_of_group(record, group, answers, comparison))
    return found


def similarities(
    turn_id: str, record: Record, embedder: Embedder, *, temperature: float
) -> Explanation:
    """`naive`: the cosine similarity of answer and piece instead of a change; no model call."""
    texts = [hit.evidence.text for hit in record.hits]
    answer, *pieces = embedder.embed([plain(record.answer.text), *texts])
    found: list[Effect] = []
    for number, piece in enumerate(pieces):
        similarity = max(0.0, float(piece @ answer))
        point = Spread(mean=similarity, low=similarity, high=similarity)
        found.append(_effect(record, (number,), point))
    explanation = explained(turn_id, found, temperature=temperature)
    return explanation.model_copy(update={"method": Method.NAIVE})


def explained(
    turn_id: str,
    effects: Sequence[Effect],
    *,
    temperature: float,
) -> Explanation:
    """The effects with their shares, the largest first."""
    means = np.array([effect.change.mean for effect in effects])
    shared: list[Effect] = []
    for effect, share in zip(effects, shares(means, temperature), strict=True):
        shared.append(effect.model_copy(update={"share": float(share)}))
    shared.sort(key=lambda effect: -effect.share)
    return Explanation(turn_id=turn_id, effects=tuple(shared))


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
    return _effect(record, group, spread(changes, changes)).model_copy(update=said)


def _effect(
    record: Record,
    group: Removed,
    change: Spread,
) -> Effect:
    ids, numbers = sources(record, group)
    return Effect(
        evidence_ids=ids, source_numbers=numbers, label=label(record, group), change=change
    )
