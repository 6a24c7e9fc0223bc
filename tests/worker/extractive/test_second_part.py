"""Two questions in one: what answers the second is shown, too, wherever it stands."""

from __future__ import annotations

import pytest
from wiki import hit, page

from core.question import Completed
from worker.extractive.extractor import Extractor
from worker.question.classify import classify

LEAVE = "Employees get 30 days of leave a year, and part of it may be taken over to March."
SIGNS = "Requests are signed by the head of the department."
HITS = (
    hit(LEAVE, page("1", "Leave"), score=6.0),
    hit("Leave is asked for in Heron at least two weeks before.", page("1", "Leave"), score=5.0),
    hit(SIGNS, page("2", "Who signs what"), score=1.0),
)


def ask(extractor: Extractor, question: str) -> str:
    asked = Completed(question=question, text=question)
    asked = asked.model_copy(update={"kind": classify(asked)})
    return extractor.extract(asked, HITS) or ""


@pytest.mark.parametrize(
    "question",
    [
        "How many days of leave do employees get, and who signs the requests?",
        "How many days of leave do employees get? And who signs the requests?",
    ],
)
def test_both_are_answered(extractor: Extractor, question: str) -> None:
    answer = ask(extractor, question)
    assert "30 days" in answer
    assert SIGNS.rstrip(".") in answer.replace("*", "")


def test_one_question_is_not_two(extractor: Extractor) -> None:
    assert SIGNS not in ask(extractor, "How many days of leave do employees get?").replace("*", "")
