"""Contrasts out of twin questions, which sound alike and of which a page answers one.

What asks for the same in the same words has the same form: only what the piece says tells whether
it answers. The best example of what does not is the very piece that answers the other twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from evaluation.employees.wikis import LEARNT, OF_WIKIS, AskedSet
from evaluation.reader.contrasts import Contrast, as_asked
from evaluation.reader.own import Pieces
from evaluation.reader.written import found_for

SETS = AskedSet.TWINS, AskedSet.TWINS_OTHERWISE
FIRST = 4  # pieces found for a question that no page answers
BEST = 0.6  # share of the contrasts whose piece that answers is the best one that does
SAME = 0.6  # share of those beside the very same piece, where both found it


class Twins(NamedTuple):
    """What was found for both."""

    answered: Pieces
    other: Pieces


def twins(folder: Path, names: Sequence[str] = LEARNT) -> Iterator[Twins]:
    """Of these wikis, where something was found."""
    for of in SETS:
        having = [name for name in names if name in OF_WIKIS[of]]
        found = dict(found_for(folder, having, of))
        for name, pieces in found.items():
            other = found.get(name.removesuffix("-yes") + "-no")
            if name.endswith("-yes") and other:
                yield Twins(pieces, other)


def contrasts(found: Sequence[Twins], random: Random) -> Iterator[Contrast]:
    """Without end, each pair as often as the others, of those that teach something."""
    useful = [each for each in found if each.answered.answering and each.other.others]
    while True:
        for pair in random.sample(useful, len(useful)):
            yield as_asked(_of(pair, random), random)


def _of(pair: Twins, random: Random) -> Contrast:
    answering, others = pair.answered.answering, pair.other.others
    said = answering[0] if random.random() < BEST else random.choice(answering)
    same = [each for each in others if each.text == said.text]
    is_same = bool(same) and random.random() < SAME
    return said, random.choice(same if is_same else others[:FIRST])
