"""Puts what was found into the values that are saved and shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.attribution import Effect, EffectVerdict, Explanation, SentenceEffect, Spread
from core.models import Record
from worker.attribution.ablation.removed import Removed, label, sources
from worker.attribution.methods.causal import Finding
from worker.attribution.methods.experiment import Outcome
from worker.attribution.statistics.answer_distance import FIRST_SENTENCE, WHOLE, plain
from worker.attribution.statistics.permutation_test import shares, spread
from worker.attribution.statistics.word_diff import difference

MOVED = 1 / 3  # of the largest rise among the sentences: a smaller one is another wording


def explained(turn_id: str, record: Record, found: Finding, *, temperature: float) -> Explanation:
    """The finding in words and numbers; what it cost is for the caller to add."""
    tested = [outcome for outcome in found.single if outcome.answers]
    means = np.array([outcome.changes[:, WHOLE].mean() for outcome in tested])
    redundant = {number for outcome in found.together for number in outcome.trial.group}
    effects = [
        _effect(record, outcome, found, redundant).model_copy(update={"share": float(share)})
        for outcome, share in zip(tested, shares(means, temperature), strict=True)
    ]
    return Explanation(
        turn_id=turn_id,
        effects=_ordered(effects),
        together=tuple(_effect(record, outcome, found, redundant) for outcome in found.together),
        verdict=found.verdict,
        null=spread(found.null, found.null) if len(found.null) else Spread(),
        empty=spread(found.empty.changes, found.null) if found.empty.answers else Spread(),
        without_evidence=found.empty.typical if found.empty.answers else "",
        sentences=found.comparison.sentences,
        skipped=tuple(
            label(record, _positions(group, found.clusters)) for group in _skipped(found)
        ),
    )


def _ordered(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Causes first, by how much they change, then what is redundant, then the rest, by how surely they change anything.

    Causes whose intervals reach the strongest one's cannot be told apart from it: they keep the order of their evidence, so that the same
    explanation made twice begins with the same one. An effect that was given up after one answer may look larger than it is.
    """
    causes = [effect for effect in effects if effect.verdict is EffectVerdict.CAUSAL]
    strongest = max(causes, key=lambda effect: effect.change.mean, default=None)
    first = [
        effect for effect in causes if strongest and effect.change.high >= strongest.change.low
    ]
    weaker = sorted(
        (effect for effect in causes if effect not in first), key=lambda effect: -effect.change.mean
    )
    others = [effect for effect in effects if effect.verdict is not EffectVerdict.CAUSAL]
    return (*first, *weaker, *sorted(others, key=_uncertainty))


def _uncertainty(effect: Effect) -> tuple[bool, float, float]:
    return effect.verdict is EffectVerdict.NOISE, effect.p_value or 0.0, -effect.change.mean


def _skipped(found: Finding) -> list[Sequence[int]]:
    return [
        *found.unfinished,
        *(outcome.trial.group for outcome in found.single if not outcome.answers),
    ]


def _positions(group: Sequence[int], clusters: Sequence[Removed]) -> Removed:
    return tuple(position for number in group for position in clusters[number])


def _effect(record: Record, outcome: Outcome, found: Finding, redundant: set[int]) -> Effect:
    ids, numbers = sources(record, outcome.trial.removed)
    return Effect(
        evidence_ids=ids,
        source_numbers=numbers,
        label=label(record, outcome.trial.removed),
        pages=len(
            {
                copy.page.id
                for position in outcome.trial.removed
                for copy in record.hits[position].everywhere
            }
        ),
        clusters=len(outcome.trial.group),
        change=spread(outcome.changes, found.null),
        verdict=_cluster_verdict(outcome, redundant),
        p_value=outcome.p_value if len(found.null) > 1 else None,
        counterfactual=outcome.typical,
        difference=difference(plain(record.answer.text), plain(outcome.typical)),
        sentences=tuple(_sentences(outcome, found)),
    )


def _cluster_verdict(outcome: Outcome, redundant: set[int]) -> EffectVerdict:
    """What is removed together with others and then stands out is redundant itself; alone it changed nothing."""
    alone = len(outcome.trial.group) == 1
    if outcome.stands_out:
        return EffectVerdict.CAUSAL
    return (
        EffectVerdict.REDUNDANT
        if alone and outcome.trial.group[0] in redundant
        else EffectVerdict.NOISE
    )


def _sentences(outcome: Outcome, found: Finding) -> Iterator[SentenceEffect]:
    """Which sentences stand out; not one that only moved, and so is begun otherwise, while another one is gone."""
    comparison = found.comparison
    rises = (outcome.changes.mean(axis=0) - found.null.mean(axis=0))[
        FIRST_SENTENCE : FIRST_SENTENCE + len(comparison.sentences)
    ]
    for number, rise in enumerate(rises):
        stands_out = (
            outcome.columns[comparison.columns_of(number)].min() <= outcome.trial.level
            and rise >= MOVED * rises.max()
        )
        yield SentenceEffect(
            sentence=number, effect=float(rise), causal=bool(outcome.stands_out and stands_out)
        )
