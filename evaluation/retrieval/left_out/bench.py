"""Measures rankings on corpora, each ranking once on each corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from core.evidence.ranking.fit import Measure, Outcomes
from core.evidence.ranking.weights import Ranking
from evaluation.harness.progress import track
from evaluation.retrieval.left_out.corpora import Conversations
from evaluation.retrieval.left_out.opened import Opened
from evaluation.retrieval.left_out.outcomes import BY_RULES, WAYS, Outcome, Wording, by_question
from evaluation.retrieval.measure import K, measure
from worker.retrieval.retriever import Retriever

FEW = 5  # hits are enough for what comes first, and loading ten takes half of a search


class Bench:
    """The corpora that were opened, and what is known of them already."""

    def __init__(self, opened: Mapping[str, Opened], languages: tuple[str, ...]) -> None:
        self.opened = opened
        self._languages = languages
        self._known: dict[tuple[str, Ranking], tuple[Outcome, ...]] = {}
        self._fitted: dict[tuple[str, Ranking], Outcomes] = {}

    def outcomes(self, corpus: str, ranking: Ranking) -> tuple[Outcome, ...]:
        """Of every question of a corpus, in every way and language."""
        known = self._known.get((corpus, ranking))
        if known is None:
            known = tuple(self._measured(corpus, ranking, K))
            self._known[corpus, ranking] = known
        return known

    def measure(self, corpus: str) -> Measure:
        """For fitting weights to a corpus."""
        return partial(self._first, corpus)

    def _first(self, corpus: str, ranking: Ranking) -> Outcomes:
        known = self._fitted.get((corpus, ranking))
        if known is None:
            known = by_question(list(self._measured(corpus, ranking, FEW)))
            self._fitted[corpus, ranking] = known
        return known

    def _measured(self, corpus: str, ranking: Ranking, k: int) -> Iterator[Outcome]:
        """Under a bar that says which of the rankings it is."""
        asked = list(wordings(self.opened[corpus], self._languages))
        total = sum(len(turns) for _, conversations in asked for turns in conversations)
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


def wordings(opened: Opened, languages: tuple[str, ...]) -> Iterator[tuple[Wording, Conversations]]:
    """The conversations of a corpus in each way and language in which they can be asked."""
    for code in languages:
        asked = opened.corpus.asked.get(code, ())
        for way in WAYS:
            asked_so = asked if way == BY_RULES else _completed(asked)
            if any(asked_so):
                yield Wording(way, code), asked_so


def _completed(asked: Conversations) -> Conversations:
    """Without the follow-ups that nobody has completed."""
    return [[turn for turn in turns if turn.completed] for turns in asked]
