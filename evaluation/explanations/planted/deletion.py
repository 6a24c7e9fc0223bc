"""The deletion curve: the sooner an answer changes when evidence is removed piece after piece, the better their order was.

After the deletion metric for saliency maps (Petsiuk, Das and Saenko 2018, RISE), with an answer in place of a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from core.attribution import EffectVerdict, Explanation
from core.embeddings import Embedder
from core.models import Record
from evaluation.explanations.planted.cases import Case
from evaluation.explanations.planted.marking import Mark, ids_of, saved
from sandbox.llm.planted import answer
from worker.attribution.statistics.answer_distance import FIRST_SENTENCE, Comparison, plain

ANSWERS = 4  # after each removal

ORDERS = ("effect", "similarity", "random")


@dataclass(frozen=True)
class Curves:
    """The change of the answer after no, one, two … pieces are removed, by the order of removal."""

    changes: dict[str, tuple[float, ...]]


def areas(curves: Sequence[Curves]) -> dict[str, float]:
    """The mean change on the way, from 0, as if nothing was removed, to 1, as if nothing was left; over all cases together.

    Not case by case: where an answer varies nearly as much by itself as it changes, dividing by that change would count noise.
    """
    ends = [[curve[end] for each in curves for curve in each.changes.values()] for end in (0, -1)]
    first, last = (float(np.mean(end)) for end in ends)
    ways = {
        order: np.mean([np.mean(each.changes[order][1:]) for each in curves]) for order in ORDERS
    }
    return {order: float((way - first) / (last - first)) for order, way in ways.items()}


def deletion(mark: Mark, embedder: Embedder, seed: int = 0) -> Curves:
    """The curves of one explained case: by effect, by similarity of piece and answer, and by chance."""
    record = saved(mark.case)
    places = {hit.evidence.id: place for place, hit in enumerate(record.hits)}
    chance = Random(f"{seed}:{mark.case.scenario}:{mark.case.number}:deletion")
    comparison = Comparison(record.completed.text, record.answer.text, embedder)
    orders = {
        "effect": [places[id_] for id_ in by_effect(mark.explanation) if id_ in places],
        "similarity": by_similarity(record, embedder),
        "random": chance.sample(range(len(places)), len(places)),
    }
    return Curves(
        {name: _curve(mark.case, order, comparison, chance) for name, order in orders.items()}
    )


def by_effect(explanation: Explanation) -> list[str]:
    """Causes first, then what changes the answer only together, then the rest by its effect."""
    causes = [effect for effect in explanation.effects if effect.verdict is EffectVerdict.CAUSAL]
    ordered = [*causes, *explanation.together, *explanation.effects]
    return list(dict.fromkeys(id_ for effect in ordered for id_ in sorted(ids_of(effect))))


def by_similarity(record: Record, embedder: Embedder) -> list[int]:
    said, *pieces = embedder.embed(
        [plain(record.answer.text), *(hit.evidence.text for hit in record.hits)]
    )
    nearness = [float(piece @ said) for piece in pieces]
    return sorted(range(len(pieces)), key=lambda place: -nearness[place])


def _curve(
    case: Case, order: Sequence[int], comparison: Comparison, chance: Random
) -> tuple[float, ...]:
    """Mean over what the explanations look at: the whole, its words, and its figures and names, which the whole alone hardly shows."""
    curve = []
    for removed in range(len(order) + 1):
        gone = set(order[:removed])
        left = [hit.evidence.text for place, hit in enumerate(case.hits) if place not in gone]
        said = [answer(case.plan, left, chance) for _ in range(ANSWERS)]
        curve.append(float(comparison.changes(said)[:, :FIRST_SENTENCE].mean()))
    return tuple(curve)
