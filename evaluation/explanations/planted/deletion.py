"""The deletion curve: evidence ordered well changes the answer soon when it is removed in order.

After the deletion metric for saliency maps (Petsiuk, Das and Saenko 2018, RISE), with an answer in
place of a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

import numpy as np

from core.attribution import Explanation
from core.embeddings import Embedder
from core.models import Record
from evaluation.explanations.planted.cases import Case
from evaluation.explanations.planted.marking import Mark, ids_of, saved
from sandbox.llm.planted import answer
from worker.attribution.statistics.answer_distance import Comparison, plain

ANSWERS = 4  # after each removal

ORDERS = ("effect", "similarity", "random")


@dataclass(frozen=True)
class Curves:
    """The change of the answer after no, one, two … pieces are removed, by the order of removal."""

    changes: dict[str, tuple[float, ...]]


def areas(curves: Sequence[Curves]) -> dict[str, float]:
    """The mean change along the curves: 0 if nothing were removed, 1 if nothing were left.

    Over all cases together: where an answer varies nearly as much by itself as it changes, dividing
    by the change of that case alone would count noise.
    """
    everything = list(chain.from_iterable(each.changes.values() for each in curves))
    first = float(np.mean([curve[0] for curve in everything]))
    last = float(np.mean([curve[-1] for curve in everything]))
    found = {}
    for order in ORDERS:
        way = np.mean([np.mean(each.changes[order][1:]) for each in curves])
        found[order] = float((way - first) / (last - first))
    return found


def deletion(mark: Mark, embedder: Embedder, seed: int = 0) -> Curves:
    """The curves of one explained case: by effect, by similarity to the answer, and by chance."""
    record = saved(mark.case)
    places = {hit.evidence.id: place for place, hit in enumerate(record.hits)}
    chance = Random(f"{seed}:{mark.case.scenario}:{mark.case.number}:deletion")
    comparison = Comparison(record.completed.text, record.answer.text, embedder)
    orders = {
        "effect": [places[id_] for id_ in by_effect(mark.explanation) if id_ in places],
        "similarity": by_similarity(record, embedder),
        "random": chance.sample(range(len(places)), len(places)),
    }
    changes = {}
    for name, order in orders.items():
        changes[name] = _curve(mark.case, order, comparison, chance)
    return Curves(changes)


def by_effect(explanation: Explanation) -> list[str]:
    """Causes first, then the rest by its effect."""
    ids = chain.from_iterable(sorted(ids_of(effect)) for effect in explanation.effects)
    return list(dict.fromkeys(ids))


def by_similarity(record: Record, embedder: Embedder) -> list[int]:
    """Places of the pieces, the one most similar to the answer first."""
    texts = [plain(record.answer.text), *(hit.evidence.text for hit in record.hits)]
    said, *pieces = embedder.embed(texts)
    similarities = [float(piece @ said) for piece in pieces]
    return sorted(range(len(pieces)), key=lambda place: -similarities[place])


def _curve(
    case: Case, order: Sequence[int], comparison: Comparison, chance: Random
) -> tuple[float, ...]:
    """Mean over what explanations compare: the whole answer, its words, its figures and names."""
    curve = []
    for removed in range(len(order) + 1):
        gone = set(order[:removed])
        left = [hit.evidence.text for place, hit in enumerate(case.hits) if place not in gone]
        said = [answer(case.plan, left, chance) for _ in range(ANSWERS)]
        curve.append(float(comparison.changes(said).mean()))
    return tuple(curve)
