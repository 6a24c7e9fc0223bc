"""LLM as a judge: a model at JUDGE_BASE_URL is asked one short question for each measure.

The prompts are ours, after the definitions of RAGonite (relevance 0, ½, 1), Ragas (faithfulness,
answer relevancy; Es et al. 2024) and T-RAG (correct, correct-verbose). The package ragas itself is
not used: its dependencies hold `openai` below version 2, which the product is beyond. So compare
these figures with one another, and with published ones only with care.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from core import logs
from core.embeddings import Embedder
from core.errors import ModelUnavailable
from core.models import Record
from core.settings import Settings
from evaluation.harness.overlap import plain
from evaluation.sets.confquestions import Question
from worker.generation.chat_model import ChatModel
from worker.prompting import templates

RELEVANCE = {"0": 0.0, "0.5": 0.5, "1": 1.0}
LABELS = ("correct-verbose", "correct", "wrong")

log = logs.get(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Judgement:
    """The judge's grades of one answer, each 0 to 1; None where its reply cannot be parsed."""

    relevance: float | None = None  # to the expected answer: 0, ½ or 1
    faithfulness: float | None = None  # share of the answer's statements that the evidence supports
    # How similar the questions that this answer would answer are to the one asked.
    relevancy: float | None = None
    correct: float | None = None  # 1 for correct and nothing besides
    verbose: float | None = None  # 1 for correct with more than was asked


class Judge:
    """Asks the judging model; `concurrency` answers may be judged at the same time."""

    def __init__(
        self, model: ChatModel, embedder: Embedder, *, patience_s: float, concurrency: int
    ) -> None:
        self.concurrency = concurrency
        self._model = model
        self._embedder = embedder
        self._patience_s = patience_s

    def judge(self, question: Question, record: Record) -> Judgement:
        answer = _data(plain(record.answer.text))
        evidence = [_data(hit.evidence.text) for hit in record.hits]
        asked = {"question": question.completed, "answer": answer}
        similarity = partial(self._similarity, question.completed)
        label = self._ask("judge_correct", _label, **asked, expected=question.answer)
        return Judgement(
            relevance=self._ask("judge_relevance", _grade, **asked, expected=question.answer),
            faithfulness=self._ask("judge_faithfulness", _fraction, **asked, evidence=evidence),
            relevancy=self._ask("judge_questions", similarity, answer=answer),
            correct=None if label is None else float(label == "correct"),
            verbose=None if label is None else float(label == "correct-verbose"),
        )

    def _ask(self, prompt: str, read: Callable[[str], T | None], **variables: object) -> T | None:
        """The judge's reply as `read` parses it; None without one, or where it cannot be parsed."""
        try:
            deadline = time.time() + self._patience_s
            reply = self._model.reply(
                templates.render(prompt, **variables), pages=(), deadline=deadline
            )
        except ModelUnavailable as error:
            log.error("judge.model_unavailable", prompt=prompt, error=str(error))
            return None
        return read(reply.text.strip())

    def _similarity(self, question: str, reply: str) -> float | None:
        """Mean cosine similarity of the question to those that the judge made of the answer."""
        made = [line.lstrip("-*0123456789. ") for line in reply.splitlines() if "?" in line]
        if not made:
            return None
        asked, *others = self._embedder.embed([question, *made])
        similarities = [max(0.0, float(asked @ other)) for other in others]
        return float(np.mean(similarities))


def judge_of(chosen: Settings, embedder: Embedder) -> Judge | None:
    """The judge that the settings name; None where they name none.

    Raises:
        SettingsError: there is an endpoint but no model.
    """
    if chosen.judge_base_url is None:
        return None
    chosen.require("judge_model")
    changes = {"llm_base_url": chosen.judge_base_url, "llm_api_key": chosen.judge_api_key}
    model = ChatModel(chosen.model_copy(update=changes), chosen.judge_model or "")
    return Judge(
        model, embedder, patience_s=chosen.llm_timeout_s, concurrency=chosen.explain_concurrency
    )


def _data(text: str) -> str:
    """Sanitize text: it cannot close the fence it stands in (prompt injection)."""
    return text.replace("<<<", "‹‹‹").replace(">>>", "›››")


def _grade(reply: str) -> float | None:
    """
    >>> _grade("Score: 0.5"), _grade("1"), _grade("no idea")
    (0.5, 1.0, None)
    """
    found = re.search(r"(?<![\d.])(0\.5|0|1)(?![\d.]\d)", reply.replace("½", "0.5"))
    return RELEVANCE[found.group(1)] if found else None


def _fraction(reply: str) -> float | None:
    """
    >>> _fraction("3/4"), _fraction("0 / 0"), _fraction("5/4"), _fraction("all")
    (0.75, None, None, None)
    """
    found = re.search(r"(\d+)\s*/\s*(\d+)", reply)
    if not found:
        return None
    part, whole = int(found.group(1)), int(found.group(2))
    return part / whole if part <= whole and whole else None


def _label(reply: str) -> str | None:
    """
    >>> _label("Correct-verbose."), _label("wrong"), _label("incorrect")
    ('correct-verbose', 'wrong', None)
    """
    return next((label for label in LABELS if re.search(rf"\b{label}\b", reply.lower())), None)
