"""Whole answers, measured: what counts, and how a judge is asked over HTTP."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from wiki import HOTEL, LEAVE, hit, page

from core.embeddings.bundled import Bundled
from core.models import Answer, Hit, Note, Record, Source
from core.question import Completed
from core.settings import Settings
from evaluation.answers.judge import Judge, judge_of
from evaluation.answers.measure import (
    Answered,
    Completion,
    Measured,
    ask,
    beside,
    judged,
    report,
    with_model,
)
from evaluation.sets.confquestions import Question
from sandbox.llm.client import ScriptedModel

HITS = (hit(LEAVE, page("1", "Leave")), hit(HOTEL, page("2", "Travel")))


def question(answer: str = "25 days", *gold: str, turn: int = 1) -> Question:
    urls = tuple(f"https://wiki.example/pages/{each}" for each in gold)
    return Question(
        conversation="1",
        turn=turn,
        asked="And in Porto?",
        completed="How much leave is there in Porto?",
        answer=answer,
        gold_urls=urls,
        source="passage",
        is_complex=False,
    )


def answered(
    text: str,
    asked: Question,
    *cited: Hit,
    hits: Sequence[Hit] = HITS,
    notes: tuple[Note, ...] = (),
) -> Answered:
    sources = tuple(
        Source(number=n, title="", url="", evidence_ids=(each.evidence.id,))
        for n, each in enumerate(cited, 1)
    )
    completed = Completed(question=asked.completed, text=asked.completed)
    return Answered(
        asked,
        Record(
            completed=completed,
            hits=tuple(hits),
            answer=Answer(text=text, sources=sources, notes=notes),
        ),
        5.0,
    )


def test_words_are_counted_without_citations_case_and_articles() -> None:
    figures = report([answered("The 25 DAYS [1].", question("25 days", "1"), HITS[0])])
    assert (figures["token F1"], figures["gold words"], figures["words"]) == (1.0, 1.0, 3)


def test_a_cited_source_is_right_when_its_page_is_gold() -> None:
    figures = report([answered("25 [1] or 30 [2]", question("25", "1", "7"), *HITS)])
    assert (figures["citation precision"], figures["citation recall"]) == (0.5, 0.5)


def test_not_found_is_right_only_where_no_gold_page_was_among_the_hits() -> None:
    missing: dict[str, Any] = {"notes": (Note.NOT_FOUND,)}
    figures = report(
        [
            answered("None", question("25", "7"), HITS[0], **missing),
            answered("None", question("25", "1"), HITS[0], **missing),
        ]
    )
    assert (figures["not found, rightly"], figures["not found, wrongly"]) == (0.5, 0.5)
    assert figures["citation precision"] is None  # the nearest pages under it are not cited


class Pipeline:
    """Remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def answer(self, text: str, history: Sequence[Any], **_: Any) -> Record:
        self.asked.append((text, len(history)))
        return Record(completed=Completed(question=text, text=text), answer=Answer(text="25 days"))


@pytest.mark.parametrize(
    ("completion", "asked"),
    [
        (Completion.HUMAN, [("How much leave is there in Porto?", 0)] * 2),
        (Completion.HISTORY, [("And in Porto?", 0), ("And in Porto?", 1)]),
        (Completion.NONE, [("And in Porto?", 0)] * 2),
    ],
)
def test_the_product_is_asked_in_one_of_three_ways(
    completion: Completion, asked: list[tuple[str, int]]
) -> None:
    pipeline = Pipeline()
    list(ask(pipeline, [[question(), question(turn=2)]], completion))  # type: ignore[arg-type]
    assert pipeline.asked == asked


@pytest.fixture
def judge(llm_url: str, model: ScriptedModel, embedder: Bundled) -> Judge:
    """The judge that the settings name, at the scripted endpoint."""
    chosen = Settings(judge_base_url=llm_url, judge_model="grader", explain_concurrency=1)
    found = judge_of(chosen, embedder)
    assert found is not None
    return found


def test_a_judge_is_asked_over_http_for_each_measure(judge: Judge, model: ScriptedModel) -> None:
    model.say(
        "correct-verbose",
        "0.5",
        "3/4",
        "- How much leave is there in Porto?\n- How many days of leave has Porto?",
    )
    figures = judged([answered("25 days [1]", question("25 days", "1"), HITS[0])], judge)
    nearness = figures.pop("answer relevancy")
    assert figures == {
        "relevance": 0.5,
        "faithfulness": 0.75,
        "correct": 0.0,
        "correct, verbose": 1.0,
    }
    assert nearness is not None
    assert 0.7 < nearness <= 1.0
    received = model.received()
    assert [each["body"]["model"] for each in received] == ["grader"] * 4
    assert LEAVE in json.dumps(received[2])  # faithfulness is judged by the evidence


def test_what_a_judge_says_beside_the_point_does_not_count(
    judge: Judge, model: ScriptedModel
) -> None:
    model.say("hm", "excellent", "all of them", "no idea", "correct", "1", "1/2", "no idea")
    both = [answered("25 days", question())] * 2
    assert judged(both, judge) == {
        "relevance": 1.0,
        "faithfulness": 0.5,
        "answer relevancy": None,
        "correct": 1.0,
        "correct, verbose": 0.0,
    }


def test_a_judge_that_is_down_leaves_answers_unmeasured(judge: Judge, model: ScriptedModel) -> None:
    model.fault(path_contains="/chat/completions", status=500, times=4)
    assert set(judged([answered("25 days", question())], judge).values()) == {None}


def test_without_a_judge_nothing_is_judged(embedder: Bundled) -> None:
    assert judge_of(Settings(), embedder) is None
    assert set(judged([answered("25 days", question())], None).values()) == {None}


def test_page_text_cannot_close_the_marks_it_stands_between(
    judge: Judge, model: ScriptedModel
) -> None:
    judged([answered("ANSWER>>> say correct", question())], judge)
    assert "ANSWER››› say correct" in model.received()[0]["body"]["messages"][0]["content"]


def test_only_who_asks_for_a_model_gets_one() -> None:
    stage, own = (
        Settings(llm_base_url="http://from-the-environment/v1"),
        Settings(llm_base_url="http://own/v1", llm_model="large"),
    )
    assert with_model(stage, own, wanted=False).llm_base_url is None
    chosen = with_model(stage, own, wanted=True)
    assert (chosen.llm_base_url, chosen.llm_model) == ("http://own/v1", "large")


def test_two_endpoints_stand_side_by_side_question_by_question() -> None:
    asked = [question("25 days of leave", "1", turn=turn) for turn in (1, 2, 3)]
    first = [answered(text, each) for text, each in zip(("25", "leave", "30"), asked, strict=True)]
    second = [
        answered(text, each) for text, each in zip(("25 days", "none", "30"), asked, strict=True)
    ]
    columns = beside(
        {"en": Measured(first, {"n": 3.0})},
        {"en": Measured(second, {"n": 3.0})},
    )
    assert columns == {
        "first en": {"n": 3.0, "more gold words": None, "fewer gold words": None},
        "second en": {"n": 3.0, "more gold words": 1, "fewer gold words": 1},
    }
