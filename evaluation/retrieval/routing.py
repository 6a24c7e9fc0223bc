"""Accuracy of question classification, on labelled questions of our own: data/routing.yaml."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import yaml

from core.question import Completed, QuestionKind
from evaluation.harness.output import AsJson, show
from worker.question.classify import classify
from worker.question.rewrite import Past, by_rules

LABELLED = Path(__file__).parents[1] / "data" / "routing.yaml"


@dataclass(frozen=True)
class Labelled:
    """A question with the kind that a person gave it."""

    question: str
    language: str  # en | de
    kind: QuestionKind
    after: str = ""  # the question before it in the thread
    held: bool = False  # held out while the rules were tuned

    @property
    def completed(self) -> Completed:
        """As the product completes it without a model."""
        if self.after:
            return by_rules(self.question, [Past(self.after)])
        return Completed(question=self.question, text=self.question)

    @property
    def is_right(self) -> bool:
        return classify(self.completed) is self.kind


def labelled(file: Path = LABELLED) -> list[Labelled]:
    read = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [Labelled(**{**item, "kind": QuestionKind(item["kind"])}) for item in read]


def report(questions: Sequence[Labelled]) -> dict[str, dict[str, float]]:
    """Accuracy: all, held out and tuned with, by language and by kind."""
    parts: dict[str, Callable[[Labelled], bool]] = {
        "all": lambda _: True,
        "held out": lambda q: q.held,
        "tuned with": lambda q: not q.held,
        "follow-ups": lambda q: bool(q.after),
        "en": lambda q: q.language == "en",
        "de": lambda q: q.language == "de",
    }
    rows = {name: _accuracy(list(filter(belongs, questions))) for name, belongs in parts.items()}
    for kind in QuestionKind:
        rows[kind.value] = _accuracy([q for q in questions if q.kind is kind])
    return rows


def _accuracy(questions: Sequence[Labelled]) -> dict[str, float]:
    began = time.perf_counter()
    right = [question.is_right for question in questions]
    seconds = time.perf_counter() - began
    return {
        "n": len(questions),
        "accuracy": mean(right),
        "µs": round(1e6 * seconds / len(questions), 1),
    }


def routing(as_json: AsJson = False) -> None:
    """Accuracy of question classification; `held out` is the honest figure."""
    show(report(labelled()), as_json=as_json)
