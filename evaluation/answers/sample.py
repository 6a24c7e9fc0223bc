"""Answers to questions about the sample company: the right first source, the expected words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import yaml

from core.models import Answer
from worker.pipeline import Pipeline
from worker.question.rewrite import Past

PATIENCE_S = 60.0


@dataclass(frozen=True)
class Answered:
    """One question, what was expected and what came."""

    question: str
    page: str  # title of the page that answers
    words: tuple[str, ...]
    answer: Answer
    milliseconds: float

    @property
    def right_page(self) -> bool:
        return bool(self.answer.sources) and self.answer.sources[0].title == self.page

    @property
    def right_words(self) -> bool:
        return all(word.lower() in self.answer.text.lower() for word in self.words)


def answers(pipeline: Pipeline, questions: Path) -> Iterator[Answered]:
    """Ask every question, follow-ups after the question they follow."""
    asked: dict[str, Past] = {}
    for item in yaml.safe_load(questions.read_text(encoding="utf-8")):
        history = [asked[item["after"]]] if "after" in item else []
        question, deadline = item["question"], time.time() + PATIENCE_S
        started = time.perf_counter()
        record = pipeline.answer(question, history, deadline=deadline)
        elapsed = 1000 * (time.perf_counter() - started)
        asked[question] = Past.of(question, record)
        words = tuple(str(word) for word in item["words"])
        yield Answered(question, item["page"], words, record.answer, elapsed)


def report(answered: Sequence[Answered]) -> dict[str, float]:
    return {
        "n": len(answered),
        "right page": mean(a.right_page for a in answered),
        "right words": mean(a.right_words for a in answered),
        "ms": round(median(a.milliseconds for a in answered), 1),
    }
