"""Measures with planted evidence: verdicts, and whether two explanations agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from multiprocessing import get_context
from statistics import mean
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Embedder, Vectors, load
from core.settings import settings
from evaluation.explanations.planted.cases import case
from evaluation.explanations.planted.deletion import Curves, deletion
from evaluation.explanations.planted.marking import Mark, explained
from evaluation.harness.interval import Share
from worker.attribution.attributor import Attributor
from worker.attribution.options import Options

MOST_KEPT = 20_000  # vectors of 2 kB
T = TypeVar("T")
W = TypeVar("W")


@dataclass(frozen=True)
class Run:
    """One case with its options; small, so that it can be sent to another process."""

    scenario: str
    number: int
    options: Options
    seed: int = 0  # of the cases
    again: int = 0  # of the counterfactual answers


@dataclass(frozen=True)
class Row:
    """The figures of one scenario."""

    n: int
    first_right: Share
    found: Share
    false_causal: Share
    false_redundant: Share
    verdict_right: Share
    calls: float
    rounds: float
    tokens: float
    seconds: float

    @classmethod
    def of(cls, marks: Sequence[Mark]) -> Row:
        with_causes = [mark for mark in marks if not mark.case.is_null]
        return cls(
            n=len(marks),
            first_right=Share.of_all(mark.first_is_right for mark in with_causes),
            found=Share.of_all(mark.found for mark in with_causes),
            false_causal=Share.of_all(mark.false_causes > 0 for mark in marks),
            false_redundant=Share.of_all(mark.false_redundant > 0 for mark in marks),
            verdict_right=Share.of_all(mark.verdict_is_right for mark in marks),
            calls=mean(mark.calls for mark in marks),
            rounds=mean(mark.rounds for mark in marks),
            tokens=mean(mark.tokens for mark in marks),
            seconds=mean(mark.seconds for mark in marks),
        )


@dataclass(frozen=True)
class Same:
    """How often two explanations of an answer agree."""

    first: Share
    all: Share

    @classmethod
    def of(cls, found: Sequence[tuple[bool, bool]]) -> Same:
        first = Share.of_all(same_first for same_first, _ in found)
        return cls(first, Share.of_all(same_named for _, same_named in found))


class CachedEmbedder:
    """A cache of vectors: the same pieces and sentences come again in case after case."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._kept: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(self._kept) > MOST_KEPT:
            self._kept.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        self._kept.update(zip(new, self._embedder.embed(new), strict=True))
        return np.array([self._kept[text] for text in texts])


@cache
def embedder() -> Embedder:
    return CachedEmbedder(load(settings()))


def explain(run: Run) -> Mark:
    attributor = Attributor(embedder(), run.options)
    return explained(attributor, case(run.scenario, run.number, run.seed), run.again)


def agree(run: Run) -> tuple[bool, bool]:
    """Whether two explanations of one answer name the same evidence first, and the same in all.

    Of several causes with about the same effect any may come first.
    """
    one = explain(run)
    other = explain(replace(run, again=run.again + 1))
    return one.first == other.first, one.named == other.named


def delete(run: Run) -> Curves:
    return deletion(explain(run), embedder(), run.seed)


def runs(scenarios: Iterable[str], count: int, options: Options, seed: int = 0) -> list[Run]:
    numbered = product(scenarios, range(count))
    return [Run(scenario, number, options, seed) for scenario, number in numbered]


def in_processes(workers: int, work: Callable[[W], T], todo: Sequence[W]) -> Iterator[T]:
    """The results in their order, from several processes."""
    if workers == 1:
        yield from map(work, todo)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(work), todo, chunksize=4)
