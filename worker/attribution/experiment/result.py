"""Turns a finding into the explanation that is saved and shown; who calls it adds what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.attribution import Effect, Explanation, Role, SentenceCauses, Spread
from core.models import Evidence, Kind, Record
from core.pages import PageKey
from worker.attribution.ablation.removed import Removed, label, sources
from worker.attribution.experiment.finding import STRONGEST, Finding
from worker.attribution.experiment.trials import Bools, Trials
from worker.attribution.statistics.answer_distance import plain
from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST, SavedAnswer
from worker.attribution.statistics.permutation_test import shares, spread_of
from worker.attribution.statistics.word_diff import difference


def explained(
    record: Record,
    clusters: Sequence[Removed],
    saved: SavedAnswer,
    found: Finding,
    *,
    temperature: float,
) -> Explanation:
    """The finding in words and numbers, causes first; of the turn that the caller names."""
    effects = list(_effects(record, clusters, saved, found))
    weights = shares(np.array([max(each.effect, 0.0) for each in effects]), temperature)
    order = sorted(range(len(effects)), key=lambda place: _rank(effects[place]))
    places = {cluster: place for place, cluster in enumerate(order)}
    shown = [effects[each].model_copy(update={"share": float(weights[each])}) for each in order]
    return Explanation(
        turn_id="",
        path=found.path,
        effects=tuple(shown),
        sentences=tuple(_renumbered(each, places) for each in found.sentences),
        verdict=found.verdict,
        tries=len(found.trials.of),
        failed=found.failed,
        without_evidence=found.without_evidence,
        repeats_itself=found.repeats_itself,
        left_undone=found.left_undone,
    )


def _effects(
    record: Record,
    clusters: Sequence[Removed],
    saved: SavedAnswer,
    found: Finding,
) -> Iterator[Effect]:
    for number, positions in enumerate(clusters):
        ids, numbers = sources(record, positions)
        away = found.balanced.away[:, number]
        effect = Effect(
            evidence_ids=ids,
            copies=tuple(_copies(record, positions)),
            source_numbers=numbers,
            label=label(record, positions),
            pages=_pages(record, positions),
            role=_role(found.sentences, number),
            there=_spread(found.balanced, ~away),
            away=_spread(found.balanced, away),
        )
        yield effect.model_copy(update=_without(number, saved, found))


def _copies(record: Record, positions: Removed) -> Iterator[tuple[str, ...]]:
    """The pieces that say the same; those of one row, and of one table, belong together."""
    units: dict[object, list[str]] = {}
    for position in positions:
        hit = record.hits[position]
        units.setdefault(_unit(hit.page.key, hit.evidence), []).append(hit.evidence.id)
    yield from map(tuple, units.values())


def _unit(page: PageKey, piece: Evidence) -> object:
    if piece.table_number is not None and piece.kind in (Kind.TABLE, Kind.ROW):
        return page, piece.table_number
    return piece.id


def _pages(record: Record, positions: Removed) -> int:
    """How many pages hold what was removed, copies included."""
    pages: set[PageKey] = set()
    for position in positions:
        pages.update(copy.page.key for copy in record.hits[position].everywhere)
    return len(pages)


def _role(sentences: Sequence[SentenceCauses], cluster: int) -> Role:
    roles = {cause.role for each in sentences for cause in each.causes if cause.effect == cluster}
    return min(roles, key=STRONGEST.index, default=Role.UNUSED)


def _spread(trials: Trials, rows: Bools) -> Spread:
    found = spread_of(trials.mean_loss[rows]) if rows.any() else Spread()
    return found.model_copy(update={"high": min(found.high, 1.0)})


def _without(number: int, saved: SavedAnswer, found: Finding) -> dict[str, object]:
    """The most telling answer without the cluster, and the sentence that changed most in it."""
    rows = np.flatnonzero(found.shown.away[:, number])
    if not len(rows):
        return {}
    own = _own_sentences(found.sentences, number)
    best = min(rows, key=lambda row: _unlikeness(found.shown, int(row), own))
    text = plain(found.shown.of[best].text)
    changed: dict[str, object] = {
        "counterfactual": text,
        "difference": difference(saved.text, text),
    }
    losses = found.shown.losses[best, FIRST_SENTENCE:]
    lost = max(own or range(len(losses)), key=lambda each: float(losses[each]), default=0)
    if len(losses) and losses[lost] >= LOST:
        changed["lost"] = saved.sentences[lost]
        changed["instead"] = saved.nearest(lost, text)
    return changed


def _own_sentences(sentences: Sequence[SentenceCauses], cluster: int) -> list[int]:
    found: list[int] = []
    for number, each in enumerate(sentences):
        if any(cause.effect == cluster for cause in each.causes):
            found.append(number)
    return found


def _unlikeness(trials: Trials, row: int, own: Sequence[int]) -> tuple[float, int, float]:
    """Small where the cluster's sentences are lost, with few others away, and little else lost.

    With fewer others away, more of what changed is due to this one.
    """
    kept = -float(trials.lost[row, list(own)].sum())
    return kept, len(trials.of[row].away), float(trials.mean_loss[row])


def _rank(effect: Effect) -> tuple[int, float]:
    return STRONGEST.index(effect.role or Role.UNUSED), -effect.effect


def _renumbered(sentence: SentenceCauses, places: dict[int, int]) -> SentenceCauses:
    """With places among the effects instead of numbers of clusters."""
    causes = [each.model_copy(update={"effect": places[each.effect]}) for each in sentence.causes]
    enough = [tuple(places[each] for each in group) for group in sentence.enough]
    changed = {"causes": tuple(causes), "enough": tuple(enough)}
    return sentence.model_copy(update=changed)
