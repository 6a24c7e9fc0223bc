"""Causal attribution by ablation: a null run, an empty run, clusters removed one by one, and pairs.

Pairs are tried where single clusters leave the answer unexplained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.attribution import AnswerVerdict
from core.embeddings import Embedder
from core.language.sentences import sentences
from core.models import Record
from worker.attribution.ablation.removed import Removed
from worker.attribution.causal.budget import (
    CLUSTERS_LEVEL,
    EMPTY_LEVEL,
    PAIRS_LEVEL,
    Group,
    grouped,
    halves,
    partners,
    removed,
)
from worker.attribution.causal.experiment import Experiment, TestedTrial, Trial
from worker.attribution.statistics.answer_distance import WHOLE, Changes, Comparison

# Of the distance between the answer and none at all: nearer than that is about the same answer.
ALIKE = 0.5


@dataclass(frozen=True)
class Finding:
    """What the experiment showed, not yet put into words."""

    clusters: tuple[Removed, ...]
    comparison: Comparison
    null: Changes
    empty: TestedTrial
    single: tuple[TestedTrial, ...]  # clusters, or groups of them that were only tested together
    together: tuple[TestedTrial, ...]  # what stands out although no part of it does
    unfinished: tuple[Group, ...]  # what the budget did not allow to look into
    verdict: AnswerVerdict


async def find(
    record: Record,
    clusters: Sequence[Removed],
    experiment: Experiment,
    comparison: Comparison,
    embedder: Embedder,
) -> Finding:
    """Run the experiment.

    Raises:
        ModelUnavailable: see worker.attribution.ablation.model_calls.
    """
    every_hit = tuple(range(len(record.hits)))
    everything = Trial((), every_hit, EMPTY_LEVEL)
    cited = _cited(record, clusters)
    most = experiment.allotted.groups
    groups = grouped(len(clusters), most, cited)
    trials = [_trial(group, clusters) for group in groups]
    empty, *outcomes = await experiment.test([everything, *trials])
    single, together, unfinished = await _split(outcomes, clusters, experiment)
    if empty.stands_out and _is_unexplained(single, cited):
        order = _by_similarity(record, clusters, embedder)
        pairs, untested = await _pairs(
            single,
            cited,
            clusters,
            experiment,
            order=order,
        )
        together += _smallest(pairs)
        unfinished += untested
    return Finding(
        clusters=tuple(clusters),
        comparison=comparison,
        null=experiment.null,
        empty=empty,
        single=tuple(single),
        together=tuple(together),
        unfinished=tuple(unfinished),
        verdict=_verdict(empty, experiment.null, comparison, record.completed.language),
    )


def _trial(group: Group, clusters: Sequence[Removed]) -> Trial:
    """At the group's part of the level: that of each cluster in it."""
    level = CLUSTERS_LEVEL * len(group) / len(clusters)
    return Trial(group, removed(group, clusters), level)


async def _split(
    outcomes: Sequence[TestedTrial],
    clusters: Sequence[Removed],
    experiment: Experiment,
) -> tuple[list[TestedTrial], list[TestedTrial], list[Group]]:
    """Halve the groups that stand out until single clusters are left.

    The outcomes of what is left; groups that stand out although neither half does; and groups that
    the budget left whole.
    """
    done: list[TestedTrial] = []
    divided: list[TestedTrial] = []
    whole: list[Group] = []
    waiting = list(outcomes)
    while waiting:
        outcome = waiting.pop(0)
        group = outcome.trial.group
        if not outcome.stands_out or len(group) == 1:
            done.append(outcome)
        elif experiment.left < 2 * experiment.allotted.repeats:
            done.append(outcome)
            whole.append(group)
        else:
            trials = [_trial(half, clusters) for half in halves(group)]
            parts = await experiment.test(trials)
            if not any(part.stands_out for part in parts):
                divided.append(outcome)
            waiting += parts
    return done, divided, whole


def _is_unexplained(single: Sequence[TestedTrial], cited: frozenset[int]) -> bool:
    """Whether no cluster is a cause, or one is cited that is none."""
    causes = _clusters_of(single, stand_out=True)
    return not causes or not cited <= causes


def _clusters_of(outcomes: Sequence[TestedTrial], *, stand_out: bool) -> set[int]:
    """The clusters whose removal changes the answer, or those whose removal does not."""
    found: set[int] = set()
    for outcome in outcomes:
        if outcome.stands_out == stand_out:
            found.update(outcome.trial.group)
    return found


async def _pairs(
    single: Sequence[TestedTrial],
    cited: frozenset[int],
    clusters: Sequence[Removed],
    experiment: Experiment,
    *,
    order: Sequence[int],
) -> tuple[list[TestedTrial], list[Group]]:
    """Remove clusters together that alone change nothing.

    The outcomes, and what the budget did not allow.
    """
    silent = _clusters_of(single, stand_out=False)
    in_order = [number for number in order if number in silent]
    groups = partners(in_order, cited & silent)
    needed = len(groups) + experiment.allotted.repeats
    if not groups or experiment.left < needed:
        return [], groups
    level = PAIRS_LEVEL / len(groups)
    trials: list[Trial] = []
    for group in groups:
        together = removed(group, clusters)
        trials.append(Trial(group, together, level))
    return await experiment.test(trials), []


def _smallest(outcomes: Sequence[TestedTrial]) -> list[TestedTrial]:
    """Those that stand out and contain no other one that does."""
    standing_out = [outcome for outcome in outcomes if outcome.stands_out]
    groups = [set(outcome.trial.group) for outcome in standing_out]
    found: list[TestedTrial] = []
    for outcome in standing_out:
        own = set(outcome.trial.group)
        if not any(other < own for other in groups):
            found.append(outcome)
    return found


def _cited(record: Record, clusters: Sequence[Removed]) -> frozenset[int]:
    """The clusters that the answer's sources stand for."""
    cited: set[str] = set()
    for source in record.answer.sources:
        cited.update(source.evidence_ids)
    found: set[int] = set()
    for number, cluster in enumerate(clusters):
        for position in cluster:
            if record.hits[position].evidence.id in cited:
                found.add(number)
    return frozenset(found)


def _by_similarity(
    record: Record,
    clusters: Sequence[Removed],
    embedder: Embedder,
) -> list[int]:
    """The clusters, the one most similar to the answer first."""
    texts = [record.answer.text]
    texts += [hit.evidence.text for hit in record.hits]
    answer, *pieces = embedder.embed(texts)
    similar = [float(piece @ answer) for piece in pieces]

    def distance(number: int) -> float:
        return -max(similar[position] for position in clusters[number])

    return sorted(range(len(clusters)), key=distance)


def _verdict(
    empty: TestedTrial,
    null: Changes,
    comparison: Comparison,
    language: str,
) -> AnswerVerdict:
    """Whether the answer needs evidence.

    Where that does not show, whether it survives or varies too much to tell.
    """
    if empty.stands_out:
        return AnswerVerdict.NEEDED
    not_found = sentences(language)("not-found")
    nothing = comparison.changes([not_found])
    none_at_all = float(nothing[0, WHOLE])
    with_evidence = float(null[:, WHOLE].mean())
    changes = empty.changes[:, WHOLE]
    without_evidence = float(changes.mean())
    if max(with_evidence, without_evidence) <= ALIKE * none_at_all:
        return AnswerVerdict.DID_NOT_MATTER
    return AnswerVerdict.NOISE
