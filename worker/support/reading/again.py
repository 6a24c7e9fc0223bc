"""What a second reader reads of an answer, and what it says of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.models import Hit
from core.usage import Usage
from worker.support.claims import Claim


@dataclass(frozen=True)
class ToRead:
    """An answer, its claims, and the pieces that they cite."""

    answer: str
    claims: tuple[Claim, ...]
    hits: tuple[Hit, ...]
    places: tuple[tuple[int, ...], ...]  # of each claim: the hits that it cites, from 1


@dataclass(frozen=True)
class SecondReading:
    """Whether the pages say each claim, in their order; None where nobody can be believed."""

    said: tuple[bool, ...] | None = None
    answers: bool = False  # the answer, all of it, is said and answers all of the question
    usage: Usage = field(default_factory=Usage)


ReadAgain = Callable[[ToRead], SecondReading]


def to_read(
    answer: str,
    made: Sequence[Claim],
    hits: Sequence[Hit],
    pieces: Mapping[int, Collection[int]],
) -> ToRead:
    """With the cited hits alone; with all where a claim cites none.

    `pieces` has the places of the hits behind each number that the answer may cite.
    """
    cited = [_places(claim, pieces) for claim in made]
    kept = list(range(1, len(hits) + 1))
    if cited and all(cited):
        kept = sorted({place for places in cited for place in places})
    new = {place: number for number, place in enumerate(kept, 1)}
    places = tuple(tuple(new[place] for place in each) for each in cited)
    return ToRead(answer, tuple(made), tuple(hits[place - 1] for place in kept), places)


def _places(claim: Claim, pieces: Mapping[int, Collection[int]]) -> list[int]:
    return sorted({place for number in claim.cited for place in pieces.get(number, ())})
