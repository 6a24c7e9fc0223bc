"""Measures rankings on corpora, each ranking once on each corpus."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b

from core.evidence.ranking.fit import Measure, Outcomes
from core.evidence.ranking.weights import Ranking
from evaluation.harness.progress import track
from evaluation.retrieval.left_out.corpora import Conversations
from evaluation.retrieval.left_out.opened import Opened
from evaluation.retrieval.left_out.outcomes import BY_RULES, WAYS, Outcome, Wording, by_question
from evaluation.retrieval.measure import K, measure
from evaluation.sets.confquestions import Question
from worker.retrieval.retriever import Retriever

# Fitting looks at a part of what there is, since it searches some hundred times for all of it. Five
# hits are enough for what comes first, and loading ten takes half of a search; so many questions of
# each corpus, in all their wordings, say nearly as much as twice as many.
FEW = 5
MOST_FITTED = 150


class Bench:
    """The corpora that were opened, and what is known of them already."""

    def __init__(self, opened: Mapping[str, Opened], languages: tuple[str, ...]) -> None:
        self.opened = opened
        self._languages = languages
        self._known: dict[tuple[str, Ranking], tuple[Outcome, ...]] = {}
        self._fitted: dict[tuple[str, Ranking, int], Outcomes] = {}

    def outcomes(self, corpus: str, ranking: Ranking) -> tuple[Outcome, ...]:
        """Of every question of a corpus, in every way and language."""
        known = self._known.get((corpus, ranking))
        if known is None:
            asked = self.opened[corpus].corpus.asked
            known = tuple(self._measured(corpus, ranking, asked, K))
            self._known[corpus, ranking] = known
        return known

    def measure(self, corpus: str) -> Measure:
        """For fitting weights that are to serve other corpora."""
        return partial(self._first, corpus, MOST_FITTED)

    def measure_whole(self, corpus: str) -> Measure:
        """For the bound: fitted to every question that it is then measured on."""
        return partial(self._first, corpus, sys.maxsize)

    def _first(self, corpus: str, most: int, ranking: Ranking) -> Outcomes:
        known = self._fitted.get((corpus, ranking, most))
        if known is None:
            asked = some(self.opened[corpus].corpus.asked, most)
            known = by_question(list(self._measured(corpus, ranking, asked, FEW)))
            self._fitted[corpus, ranking, most] = known
        return known

    def _measured(
        self,
        corpus: str,
        ranking: Ranking,
        of_language: Mapping[str, Conversations],
        k: int,
    ) -> Iterator[Outcome]:
        """Under a bar that says which of the rankings it is."""
        asked = list(wordings(of_language, self._languages))
        total = sum(_questions(conversations) for _, conversations in asked)
        number = len(self._known) + len(self._fitted) + 1
        retriever = self.opened[corpus].retriever(ranking)
        yield from track(_searched(retriever, asked, k), f"{number}: {corpus}", total)


def _searched(
    retriever: Retriever,
    asked: Iterable[tuple[Wording, Conversations]],
    k: int,
) -> Iterator[Outcome]:
    for wording, conversations in asked:
        for measured in measure(retriever, conversations, WAYS[wording.way], k=k):
            yield Outcome.of(measured, wording)


def wordings(
    of_language: Mapping[str, Conversations],
    languages: Iterable[str],
) -> Iterator[tuple[Wording, Conversations]]:
    """The conversations in each way and language in which they can be asked."""
    for code in languages:
        asked = of_language.get(code, ())
        for way in WAYS:
            asked_so = asked if way == BY_RULES else _completed(asked)
            if any(asked_so):
                yield Wording(way, code), asked_so


def some(of_language: Mapping[str, Conversations], most: int) -> dict[str, Conversations]:
    """Whole conversations of at most so many questions, the same ones in every language."""
    return {code: _some(asked, most) for code, asked in of_language.items()}


def _some(asked: Conversations, most: int) -> Conversations:
    """The first by a hash of their name, which is as good as by chance."""
    chosen: list[Sequence[Question]] = []
    for turns in sorted(asked, key=_by_chance):
        if _questions([*chosen, turns]) <= most:
            chosen.append(turns)
    return chosen


def _by_chance(turns: Sequence[Question]) -> bytes:
    return blake2b(turns[0].conversation.encode()).digest()


def _questions(asked: Conversations) -> int:
    return sum(map(len, asked))


def _completed(asked: Conversations) -> Conversations:
    """Without the follow-ups that nobody has completed."""
    return [[turn for turn in turns if turn.completed] for turns in asked]
