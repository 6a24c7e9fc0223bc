"""Precision, recall and MRR of the product's own query rewriting and retrieval."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import mean, median

from core.evidence.lexical.analyzer import content_words, words
from core.models import Hit
from core.question import Completed
from evaluation.harness.remembered import as_past
from evaluation.sets.confquestions import Question
from worker.question.rewrite import Completer, Past
from worker.retrieval.retriever import Retriever

K = 10
PATIENCE_S = 60.0  # for a model's completion


@dataclass(frozen=True)
class Measured:
    """One question and what was found for it."""

    question: Question
    hits: tuple[Hit, ...]
    milliseconds: float
    is_shift: bool = False  # its page is another one than that of the question before
    searched: str = ""  # the completed question, as it was searched

    @property
    def ranks(self) -> list[int]:
        """Ranks of pieces of gold pages, 1-based."""
        gold = self.question.gold_ids
        return [rank for rank, hit in enumerate(self.hits, start=1) if hit.page.id in gold]

    @property
    def twin_is_first(self) -> bool:
        """Whether the first piece, or a near duplicate of it, is on a gold page."""
        if not self.hits:
            return False
        return any(copy.page.id in self.question.gold_ids for copy in self.hits[0].everywhere)

    @property
    def answer_words(self) -> float:
        """The share of the gold answer's words that the hits contain."""
        wanted = set(content_words(self.question.answer))
        found: set[str] = set()
        for hit in self.hits:
            headings = " ".join(hit.evidence.heading_path)
            found.update(words(f"{hit.page.title} {headings} {hit.evidence.text}"))
        return len(wanted & found) / len(wanted) if wanted else 1.0


def measure(
    retriever: Retriever,
    conversations: Sequence[Sequence[Question]],
    completion: str,
    *,
    completer: Completer | None = None,
    k: int = K,
) -> Iterator[Measured]:
    """Search for every question.

    `completion` is human, history (rules, no model), llm (by the completer's model) or none.
    """
    if completion != "llm" or completer is None:
        completer = Completer(None, retriever.evidence)
    for conversation in conversations:
        history: list[Past] = []
        before: frozenset[str] = frozenset()
        for question in conversation:
            completed = _completed(question, history, completion, completer)
            started = time.perf_counter()
            # How sure the product is, which its follow-ups depend on, it tells from K pieces.
            wanted = max(k, K) if completion == "history" else k
            found = retriever.search(completed, k=wanted)
            elapsed = 1000 * (time.perf_counter() - started)
            searched, hits = found.searched(completed), found.hits
            history.append(as_past(searched, hits))
            is_shift = bool(before) and before.isdisjoint(question.gold_ids)
            yield Measured(question, hits[:k], elapsed, is_shift, searched.text)
            before = question.gold_ids


def report(measured: Sequence[Measured], urls: Mapping[str, str]) -> dict[str, float]:
    """The figures of the paper by page id; `strict` ones and their ceiling by URL string."""
    published = set(urls.values())
    first = [min(m.ranks, default=math.inf) for m in measured]
    return {
        "n": len(measured),
        "p_at_1": mean(rank == 1 for rank in first),
        "twins_p_at_1": mean(m.twin_is_first for m in measured),
        "recall_at_5": mean(rank <= 5 for rank in first),
        "recall_at_10": mean(rank <= 10 for rank in first),
        "mrr": mean(1 / rank for rank in first),
        "strict_p_at_1": mean(_strict(m, urls) for m in measured),
        "strict_ceiling": mean(not published.isdisjoint(m.question.gold_urls) for m in measured),
        "answer_words_at_10": mean(m.answer_words for m in measured),
        "ms_per_query": round(median(m.milliseconds for m in measured), 1),
    }


def slices(measured: Sequence[Measured], urls: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """The same figures by turn, kind of source, simple and complex questions, topic shifts."""
    kinds: dict[str, Callable[[Measured], str]] = {
        "turn": lambda m: f"turn {m.question.turn:02}",
        "source": lambda m: f"from a {m.question.source}",
        "kind": lambda m: "complex" if m.question.is_complex else "simple",
        "topic": lambda m: "topic shift" if m.is_shift else "same topic",
    }
    rows = {}
    for key in kinds.values():
        for name, group in groupby(sorted(measured, key=key), key=key):
            rows[name] = report(list(group), urls)
    return rows


def _strict(measured: Measured, urls: Mapping[str, str]) -> bool:
    return bool(measured.hits) and urls.get(measured.hits[0].page.id) in measured.question.gold_urls


def _completed(
    question: Question, history: Sequence[Past], completion: str, completer: Completer
) -> Completed:
    if completion == "human":
        return Completed(question=question.completed, text=question.completed)
    if completion in ("history", "llm"):
        return completer.complete(question.asked, history, deadline=time.time() + PATIENCE_S)[0]
    return Completed(question=question.asked, text=question.asked)
