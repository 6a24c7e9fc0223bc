"""How single questions went, of the product and of its peers alike, and what many of them say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.evidence.ranking.fit import Outcomes
from evaluation.harness.interval import Share
from evaluation.retrieval.measure import Measured
from evaluation.sets.confquestions import Question

# The questions as they were completed: by a person, or by the product's rules from their thread.
BY_RULES = "by rules"
WAYS = {"complete": "human", BY_RULES: "history"}
COPY_NAMED = "copy-named"  # the question says which of several copies is meant
RESAMPLES = 4000
LEVELS = (2.5, 97.5)  # per cent: an interval of 95 %


class Wording(NamedTuple):
    """In which way and language something was asked."""

    way: str
    language: str

    def __str__(self) -> str:
        return f"{self.way}, {self.language}"


@dataclass(frozen=True)
class Outcome:
    """One question in one wording, and what was found first."""

    question: Question
    wording: Wording
    searched: str  # the completed question
    found: str  # title of the first page; empty where there was none
    is_first: bool  # the first piece is on a gold page
    # That, or it says the same as one on a gold page, unless the question named the copy.
    is_right: bool
    is_among_ten: bool
    is_shift: bool

    @classmethod
    def of(cls, measured: Measured, wording: Wording) -> Outcome:
        """The same credit for whoever searched."""
        first = measured.ranks[:1] == [1]
        named = COPY_NAMED in measured.question.tags
        return cls(
            question=measured.question,
            wording=wording,
            searched=measured.searched,
            found=measured.hits[0].page.title if measured.hits else "",
            is_first=first,
            is_right=first or (measured.twin_is_first and not named),
            is_among_ten=bool(measured.ranks),
            is_shift=measured.is_shift,
        )

    @cached_property
    def classes(self) -> frozenset[str]:
        """What kinds of question it is."""
        turn = "first turn" if self.question.turn == 1 else "later turn"
        page = ("another page than before",) if self.is_shift else ()
        source = f"from a {self.question.source}"
        return frozenset(
            {*self.question.tags, turn, source, f"asked in {self.wording.language}", *page}
        )


def share(outcomes: Iterable[Outcome]) -> Share:
    """P@1, a copy that says the same counted as right."""
    return Share.of_all(outcome.is_right for outcome in outcomes)


def by_question(outcomes: Sequence[Outcome]) -> Outcomes:
    """For each question the share of its wordings that went right, in a fixed order."""
    found: dict[tuple[str, int], list[bool]] = {}
    for outcome in outcomes:
        key = (outcome.question.conversation, outcome.question.turn)
        found.setdefault(key, []).append(outcome.is_right)
    return np.array([np.mean(found[key]) for key in sorted(found)], np.float64)


class Difference(NamedTuple):
    """Of two shares, with its 95 % interval."""

    mean: float
    low: float
    high: float


def difference(ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> Difference:
    """P@1 of the first less that of the second, which were asked the same in the same order.

    Paired bootstrap over conversations (Efron and Tibshirani, An Introduction to the Bootstrap,
    1993, chapter 13): the turns of a thread are right or wrong together.
    """
    gained: dict[str, list[int]] = {}
    for one, other in zip(ours, theirs, strict=True):
        assert one.question == other.question, "outcomes are paired by question"
        pairs = gained.setdefault(one.question.conversation, [])
        pairs.append(one.is_right - other.is_right)
    if not gained:
        return Difference(np.nan, np.nan, np.nan)
    sums = np.array([sum(each) for each in gained.values()])
    sizes = np.array([len(each) for each in gained.values()])
    chance = np.random.default_rng(0)
    drawn = chance.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), RESAMPLES)
    means = (drawn @ sums) / (drawn @ sizes)
    low, high = np.percentile(means, LEVELS)
    return Difference(float(sums.sum() / sizes.sum()), float(low), float(high))
