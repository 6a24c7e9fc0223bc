"""How well retrieval finds the page that answers: the product's own completion and search, measured on ConfQuestions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from core.models import Completed, Hit
from evaluation.confquestions import Question
from worker.complete import Past, by_rules
from worker.retrieve import Retriever

K = 10


@dataclass(frozen=True)
class Measured:
    """One question and what was found for it."""

    question: Question
    hits: tuple[Hit, ...]
    milliseconds: float

    @property
    def ranks(self) -> list[int]:
        """Ranks of pieces of gold pages, 1-based."""
        return [rank for rank, hit in enumerate(self.hits, start=1) if hit.page.id in self.question.gold_ids]


def measure(retriever: Retriever, conversations: Sequence[Sequence[Question]], completion: str) -> Iterator[Measured]:
    """Search for every question; `completion` is human, history (rules, no model) or none."""
    for conversation in conversations:
        history: list[Past] = []
        for question in conversation:
            completed = _completed(question, history, completion)
            started = time.perf_counter()
            hits = retriever.search(completed, k=K).hits
            elapsed = 1000 * (time.perf_counter() - started)
            history.append(Past(question.asked, "", hits[0].page.title if hits else ""))
            yield Measured(question, hits, elapsed)


def report(measured: Sequence[Measured], urls: Mapping[str, str]) -> dict[str, float]:
    """The figures of the paper, by page id; `strict P@1` and its ceiling by URL string, as published."""
    return {
        "n": len(measured),
        "P@1": mean(1 in m.ranks for m in measured),
        "R@5": mean(any(rank <= 5 for rank in m.ranks) for m in measured),
        "R@10": mean(bool(m.ranks) for m in measured),
        "MRR": mean(1 / m.ranks[0] if m.ranks else 0.0 for m in measured),
        "strict P@1": mean(_strict(m, urls) for m in measured),
        "ceiling": mean(bool(set(m.question.gold_urls) & set(urls.values())) for m in measured),
        "ms": round(median(m.milliseconds for m in measured), 1),
    }


def _strict(measured: Measured, urls: Mapping[str, str]) -> bool:
    return bool(measured.hits) and urls.get(measured.hits[0].page.id) in measured.question.gold_urls


def _completed(question: Question, history: Sequence[Past], completion: str) -> Completed:
    if completion == "human":
        return Completed(question=question.completed, text=question.completed)
    if completion == "history" and history:
        return by_rules(question.asked, history)
    return Completed(question=question.asked, text=question.asked)
