"""Examples out of twin questions, which sound alike and of which a page answers one.

What asks for the same in the same words has the same form: only what the piece says tells whether
it answers. The best example of what does not is the very piece that answers the other twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from evaluation.employees.wikis import LEARNT, AskedSet
from evaluation.reader.own import Pieces
from evaluation.reader.squad import Example, as_typed
from evaluation.reader.written import found_for

FIRST = 4  # pieces found for a question that no page answers
BEST = 0.6  # share of the examples with an answer that are the best piece that has it
SAME = 0.5  # of those without one, share of those with the piece that answers the other twin
BESIDE = 0.25  # of the pairs, share of those that give a third: what is beside the answer


class Twins(NamedTuple):
    """What was found for both."""

    answered: Pieces
    other: Pieces


def twins(folder: Path, names: Sequence[str] = LEARNT) -> Iterator[Twins]:
    """Of these wikis, where something was found."""
    found = dict(found_for(folder, names, AskedSet.TWINS))
    for name, pieces in found.items():
        other = found.get(name.removesuffix("-yes") + "-no")
        if name.endswith("-yes") and other:
            yield Twins(pieces, other)


def examples(found: Sequence[Twins], random: Random) -> Iterator[Example]:
    """Without end, each pair as often as the others: one with its answer, then one without."""
    while True:
        for pair in random.sample(found, len(found)):
            for example in _of(pair, random):
                yield example._replace(question=as_typed(example.question, random))


def _of(pair: Twins, random: Random) -> Iterator[Example]:
    answering, beside, others = pair.answered.answering, pair.answered.beside, pair.other.others
    if answering:
        yield answering[0] if random.random() < BEST else random.choice(answering)
    if others:
        texts = {each.text for each in answering}
        same = [each for each in others if each.text in texts]
        is_same = bool(same) and random.random() < SAME
        yield random.choice(same if is_same else others[:FIRST])
    if beside and random.random() < BESIDE:
        yield random.choice(beside[:FIRST])
