"""Turns the finding of a causal attribution into the explanation that is saved and shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.attribution import Effect, EffectVerdict, Explanation, SentenceEffect, Spread
from core.models import Record
from core.pages import PageKey
from worker.attribution.ablation.removed import Removed, label, sources
from worker.attribution.causal.experiment import TestedTrial
from worker.attribution.causal.finding import Finding
from worker.attribution.statistics.answer_distance import FIRST_SENTENCE, WHOLE, plain
from worker.attribution.statistics.permutation_test import shares, spread
from worker.attribution.statistics.word_diff import difference

MOVED = 1 / 3  # of the largest rise among the sentences: a smaller one is another wording


def explained(
    turn_id: str,
    record: Record,
    found: Finding,
    *,
    temperature: float,
) -> Explanation:
    """The finding in words and numbers; what it cost is for the caller to add."""
    effects = list(_effects(record, found, temperature))
    together: list[Effect] = []
    for outcome in found.together:
        effect = _effect(record, outcome, found)
        together.append(effect)
    null = Spread()
    if len(found.null):
        null = spread(found.null, found.null)
    empty = Spread()
    without_evidence = ""
    if found.empty.answers:
        empty = spread(found.empty.changes, found.null)
        without_evidence = found.empty.typical
    return Explanation(
        turn_id=turn_id,
        effects=_ordered(effects),
        together=tuple(together),
        verdict=found.verdict,
        null=null,
        empty=empty,
        without_evidence=without_evidence,
        sentences=found.comparison.sentences,
        skipped=tuple(_skipped(record, found)),
    )


def _effects(record: Record, found: Finding, temperature: float) -> Iterator[Effect]:
    """What was tested by itself, with its share of all changes."""
    tested = [outcome for outcome in found.single if outcome.answers]
    means: list[float] = []
    for outcome in tested:
        changes = outcome.changes[:, WHOLE]
        means.append(changes.mean())
    weights = shares(np.array(means), temperature)
    for outcome, weight in zip(tested, weights, strict=True):
        effect = _effect(record, outcome, found)
        share = {"share": float(weight)}
        yield effect.model_copy(update=share)


def _ordered(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Causes first, then what is redundant, then noise, by how surely they change anything.

    Causes whose intervals reach the strongest one's cannot be told apart from it: they keep the
    order of their evidence, so that the same explanation made twice begins with the same one. The
    weaker ones follow by how much they change. An effect that was given up after one answer may
    look larger than it is.
    """
    causes: list[Effect] = []
    others: list[Effect] = []
    for effect in effects:
        is_cause = effect.verdict is EffectVerdict.CAUSAL
        (causes if is_cause else others).append(effect)
    by_strength = sorted(causes, key=_weakness)
    first: list[Effect] = []
    weaker: list[Effect] = []
    for effect in causes:
        strongest = by_strength[0].change
        reaches = effect.change.high >= strongest.low
        (first if reaches else weaker).append(effect)
    weaker.sort(key=_weakness)
    others.sort(key=_uncertainty)
    return (*first, *weaker, *others)


def _weakness(effect: Effect) -> float:
    return -effect.change.mean


def _uncertainty(effect: Effect) -> tuple[bool, float, float]:
    is_noise = effect.verdict is EffectVerdict.NOISE
    return is_noise, effect.p_value or 0.0, _weakness(effect)


def _skipped(record: Record, found: Finding) -> Iterator[str]:
    """Labels of what the budget did not allow to test."""
    groups = list(found.unfinished)
    for outcome in found.single:
        group = outcome.trial.group
        if not outcome.answers:
            groups.append(group)
    for group in groups:
        yield label(record, found.clusters[group[0]])


def _effect(
    record: Record,
    outcome: TestedTrial,
    found: Finding,
) -> Effect:
    removed = outcome.trial.removed
    ids, numbers = sources(record, removed)
    p_value = outcome.p_value if len(found.null) > 1 else None
    said = plain(record.answer.text)
    return Effect(
        evidence_ids=ids,
        source_numbers=numbers,
        label=label(record, removed),
        pages=_pages(record, removed),
        clusters=len(outcome.trial.group),
        change=spread(outcome.changes, found.null),
        verdict=_cluster_verdict(outcome, found),
        p_value=p_value,
        counterfactual=outcome.typical,
        difference=difference(said, plain(outcome.typical)),
        sentences=tuple(_sentences(outcome, found)),
    )


def _pages(record: Record, removed: Removed) -> int:
    """How many pages hold what was removed, copies included."""
    pages: set[PageKey] = set()
    for position in removed:
        for copy in record.hits[position].everywhere:
            pages.add(copy.page.key)
    return len(pages)


def _cluster_verdict(outcome: TestedTrial, found: Finding) -> EffectVerdict:
    """Redundant is what changes the answer together with others, and nothing alone."""
    if outcome.stands_out:
        return EffectVerdict.CAUSAL
    group = outcome.trial.group
    causes = [cause.trial.group for cause in found.together]
    in_causes = any(group[0] in cause for cause in causes)
    if len(group) == 1 and in_causes:
        return EffectVerdict.REDUNDANT
    return EffectVerdict.NOISE


def _sentences(outcome: TestedTrial, found: Finding) -> Iterator[SentenceEffect]:
    """Which sentences stand out; not one that only moved while another one is gone."""
    comparison = found.comparison
    null_means = found.null.mean(axis=0)
    rises = outcome.changes.mean(axis=0) - null_means
    of_sentences = rises[FIRST_SENTENCE : FIRST_SENTENCE + len(comparison.sentences)]
    for number, rise in enumerate(of_sentences):
        columns = comparison.columns_of(number)
        p_value = outcome.columns[columns].min()
        is_significant = outcome.stands_out and p_value <= outcome.trial.level
        is_large = rise >= MOVED * of_sentences.max()
        yield SentenceEffect(
            sentence=number,
            effect=float(rise),
            causal=bool(is_significant and is_large),
        )
