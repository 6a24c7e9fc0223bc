"""Measures rankings on corpora, each ranking once on each corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from core.evidence.ranking.fit import Measure, Outcomes
from core.evidence.ranking.weights import Ranking
from evaluation.retrieval.left_out.corpora import Conversations
from evaluation.retrieval.left_out.opened import Opened
from evaluation.retrieval.left_out.outcomes import BY_RULES, WAYS, Outcome, Wording, by_question
from evaluation.retrieval.measure import K, measure

FEW = 5  # hits are enough for what comes first, and loading ten takes half of a search


class Bench:
    """The corpora that were opened, and what is known of them already."""

    def __init__(
        self,
        opened: Mapping[str, Opened],
        languages: tuple[str, ...],
        advance: Callable[..., None] = lambda: None,
    ) -> None:
        """`advance` is told of every question that was searched for."""
        self.opened = opened
        self._languages = languages
        self._advance = advance
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
        opened = self.opened[corpus]
        retriever = opened.retriever(ranking)
        for wording, asked in wordings(opened, self._languages):
            for measured in measure(retriever, asked, WAYS[wording.way], k=k):
                yield Outcome.of(measured, wording)
                self._advance()


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
