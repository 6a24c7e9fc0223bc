"""The explanation by experiment: a null run, an empty run, each cluster removed, and pairs where that leaves the answer unexplained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.attribution import AnswerVerdict
from core.embeddings import Embedder
from core.models import Record
from worker.attribution.ablation.removed import Removed
from worker.attribution.methods.budget import (
    CLUSTERS_LEVEL,
    EMPTY_LEVEL,
    PAIRS_LEVEL,
    Group,
    grouped,
    halves,
    partners,
    removed,
)
from worker.attribution.methods.experiment import Experiment, Outcome, Trial
from worker.attribution.statistics.answer_distance import WHOLE, Changes, Comparison
from worker.generation.abstention import NOT_FOUND

ALIKE = 0.5  # of the distance between the answer and none at all: nearer than that is about the same answer


@dataclass(frozen=True)
class Finding:
    """What the experiment showed, not yet put into words."""

    clusters: tuple[Removed, ...]
    comparison: Comparison
    null: Changes
    empty: Outcome
    single: tuple[Outcome, ...]  # clusters, or groups of them that were only tested together
    together: tuple[Outcome, ...]  # what stands out although no part of it does
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
    everything = Trial((), tuple(range(len(record.hits))), EMPTY_LEVEL)
    cited = _cited(record, clusters)
    trials = [
        _trial(group, clusters, CLUSTERS_LEVEL)
        for group in grouped(len(clusters), experiment.allotted.groups, cited)
    ]
    empty, *outcomes = await experiment.test([everything, *trials])
    single, divided, unfinished = await _apart(outcomes, clusters, experiment)
    pairs: list[Outcome] = []
    if empty.stands_out and _is_unexplained(single, cited):
        tried, more = await _pairs(
            single, cited, clusters, experiment, order=_by_similarity(record, clusters, embedder)
        )
        pairs, unfinished = tried, [*unfinished, *more]
    verdict = _verdict(empty, experiment.null, comparison)
    together = tuple(outcome for outcome in [*divided, *_smallest(pairs)] if outcome.stands_out)
    return Finding(
        tuple(clusters),
        comparison,
        experiment.null,
        empty,
        tuple(single),
        together,
        tuple(unfinished),
        verdict,
    )


def _trial(group: Group, clusters: Sequence[Removed], level: float) -> Trial:
    """At the group's part of the level: that of each cluster in it."""
    return Trial(group, removed(group, clusters), level * len(group) / len(clusters))


async def _apart(
    outcomes: Sequence[Outcome], clusters: Sequence[Removed], experiment: Experiment
) -> tuple[list[Outcome], list[Outcome], list[Group]]:
    """Halve the groups that stand out until single clusters are left.

    The outcomes of what is left; groups that stand out although neither half does; and groups that the budget left whole.
    """
    done: list[Outcome] = []
    divided: list[Outcome] = []
    whole: list[Group] = []
    waiting = list(outcomes)
    while waiting:
        outcome = waiting.pop(0)
        if not outcome.stands_out or len(outcome.trial.group) == 1:
            done.append(outcome)
        elif experiment.left < 2 * experiment.allotted.repeats:
            done.append(outcome)
            whole.append(outcome.trial.group)
        else:
            parts = await experiment.test(
                [_trial(half, clusters, CLUSTERS_LEVEL) for half in halves(outcome.trial.group)]
            )
            divided += [] if any(part.stands_out for part in parts) else [outcome]
            waiting += parts
    return done, divided, whole


def _is_unexplained(single: Sequence[Outcome], cited: frozenset[int]) -> bool:
    """Whether no cluster is a cause, or one is cited that is none."""
    causes = {number for outcome in single if outcome.stands_out for number in outcome.trial.group}
    return not causes or not cited <= causes


async def _pairs(
    single: Sequence[Outcome],
    cited: frozenset[int],
    clusters: Sequence[Removed],
    experiment: Experiment,
    *,
    order: Sequence[int],
) -> tuple[list[Outcome], list[Group]]:
    """Remove clusters together that alone change nothing; the outcomes, and what the budget did not allow."""
    silent = {
        number for outcome in single if not outcome.stands_out for number in outcome.trial.group
    }
    groups = partners([number for number in order if number in silent], cited & silent)
    if not groups or experiment.left < len(groups) + experiment.allotted.repeats:
        return [], groups
    return await experiment.test(
        [Trial(group, removed(group, clusters), PAIRS_LEVEL / len(groups)) for group in groups]
    ), []


def _smallest(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Without those that contain another one that stands out by itself."""
    found = [set(outcome.trial.group) for outcome in outcomes if outcome.stands_out]
    return [
        outcome
        for outcome in outcomes
        if not any(other < set(outcome.trial.group) for other in found)
    ]


def _cited(record: Record, clusters: Sequence[Removed]) -> frozenset[int]:
    """The clusters that the answer's sources stand for."""
    ids = {id_ for source in record.answer.sources for id_ in source.evidence_ids}
    return frozenset(
        n
        for n, cluster in enumerate(clusters)
        if any(record.hits[position].evidence.id in ids for position in cluster)
    )


def _by_similarity(record: Record, clusters: Sequence[Removed], embedder: Embedder) -> list[int]:
    """The clusters, the one most similar to the answer first."""
    answer, *pieces = embedder.embed(
        [record.answer.text, *(hit.evidence.text for hit in record.hits)]
    )
    nearness = [
        max(float(pieces[position] @ answer) for position in cluster) for cluster in clusters
    ]
    return sorted(range(len(clusters)), key=lambda number: -nearness[number])


def _verdict(empty: Outcome, null: Changes, comparison: Comparison) -> AnswerVerdict:
    """Whether the answer needs evidence; where that does not show, whether it survives or varies too much to tell."""
    if empty.stands_out:
        return AnswerVerdict.NEEDED
    none_at_all = float(comparison.changes([NOT_FOUND])[0, WHOLE])
    farthest = max(float(null[:, WHOLE].mean()), float(empty.changes[:, WHOLE].mean()))
    return AnswerVerdict.DID_NOT_MATTER if farthest <= ALIKE * none_at_all else AnswerVerdict.NOISE
