"""Which of three steps an answer gets."""

from __future__ import annotations

import pytest
from judging import signs_of, small_wiki
from wiki import HOTEL, hit, page, piece

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceSearch, EvidenceStore
from core.models import Answer, Confidence, Note, Source
from core.question import Completed
from worker.answerability.badge import SIGNS_OF_ANSWER, Badge, step
from worker.answerability.fitted import Regression, fitted
from worker.answerability.gate import LET_THROUGH, AnswerGate
from worker.answerability.signs import Signs

QUESTION = "What does a hotel in Porto cost?"
ASKED = Completed(question=QUESTION, text=QUESTION)
TRAVEL = page("1", "Travel costs")
FOUND = hit(piece(HOTEL, "1"), TRAVEL, score=8.0, dense=0.8)


@pytest.fixture
def evidence(store: EvidenceStore) -> EvidenceSearch:
    return small_wiki(store)


@pytest.fixture
def signs(evidence: EvidenceSearch, embedder: Bundled) -> Signs:
    return signs_of(evidence, embedder)


def source(number: int, confidence: Confidence) -> Source:
    return Source(
        number=number,
        title="Travel costs",
        url="https://wiki.example/1",
        evidence_ids=(FOUND.evidence.id,),
        confidence=confidence,
    )


def answer(text: str = f"{HOTEL} [1]", *more: Source, model: str = "") -> Answer:
    sources = (source(1, Confidence.HIGH), *more)
    return Answer(text=text, sources=sources, model=model, confidence=Confidence.HIGH)


def badged(signs: Signs, given: Answer) -> Confidence | None:
    judged = AnswerGate(signs).judged(ASKED, [FOUND])
    return Badge(signs).on(given, ASKED, [FOUND], judged).confidence


def test_every_sign_of_an_answer_has_a_weight(signs: Signs) -> None:
    judged = AnswerGate(signs).judged(ASKED, [FOUND])
    known = Badge(signs).signs(answer(), ASKED, [FOUND], judged)
    assert tuple(known) == SIGNS_OF_ANSWER
    assert set(fitted("badge").weights) == set(SIGNS_OF_ANSWER)


def test_an_answer_that_says_what_was_asked_is_likelier_right_than_one_beside_it(
    signs: Signs,
) -> None:
    judged = AnswerGate(signs).judged(ASKED, [FOUND])
    regression = fitted("badge")

    def probability(text: str) -> float:
        found = Badge(signs).signs(answer(text), ASKED, [FOUND], judged)
        return regression.probability(found)

    assert probability(f"{HOTEL} [1]") > probability("The lift is out of order today [1]")


def test_the_steps_are_where_the_fit_has_put_them() -> None:
    one = Regression(intercept=0, weights={"best": 1.0}, points={"high": 0.9, "medium": 0.5})
    assert step(one, {"best": 5.0}) is Confidence.HIGH
    assert step(one, {"best": 1.0}) is Confidence.MEDIUM
    assert step(one, {"best": -1.0}) is Confidence.LOW


def test_what_is_composed_from_structure_is_green_unless_a_model_wrote_it(signs: Signs) -> None:
    judged = AnswerGate(signs).judged(ASKED, [FOUND])._replace(is_composed=True)
    badge = Badge(signs)
    composed = badge.on(answer("It is 110 EUR [1]"), ASKED, [FOUND], judged)
    written = badge.on(answer(model="large"), ASKED, [FOUND], judged)
    assert composed.confidence is Confidence.HIGH
    assert written.confidence is not Confidence.HIGH


def test_what_is_read_from_the_tree_is_probable_at_least(signs: Signs) -> None:
    lift = piece("The lift is out of order today.", "1")
    found = [FOUND.model_copy(update={"evidence": lift})]
    judged = AnswerGate(signs).judged(ASKED, found)
    badge = Badge(signs)
    beside = answer("The lift is out of order today. [1]")
    placed = judged._replace(is_placed=True)
    assert badge.on(beside, ASKED, found, judged).confidence is Confidence.LOW
    assert badge.on(beside, ASKED, found, placed).confidence is Confidence.MEDIUM


def test_a_models_answer_is_green_where_it_was_read_again_whatever_its_pages(signs: Signs) -> None:
    judged = AnswerGate(signs).judged(ASKED, [FOUND])
    doubtful = answer("Both [1][2]", source(2, Confidence.LOW), model="large")
    badge = Badge(signs)
    verified = badge.on(doubtful, ASKED, [FOUND], judged, is_verified=True)
    assert verified.confidence is Confidence.HIGH
    nothing = doubtful.model_copy(update={"notes": (Note.NOT_FOUND,)})
    assert badge.on(nothing, ASKED, [FOUND], judged, is_verified=True) == nothing


def test_else_a_models_answer_is_never_green_and_no_surer_than_any_page_that_it_cites(
    signs: Signs,
) -> None:
    sure = answer(model="large")
    mixed = answer("Both [1][2]", source(2, Confidence.LOW), model="large")
    unsupported = sure.model_copy(update={"unsupported": ("It is free.",)})
    assert badged(signs, sure) is None
    assert badged(signs, mixed) is Confidence.LOW
    assert badged(signs, unsupported) is Confidence.MEDIUM


def test_an_abstention_has_no_badge(signs: Signs) -> None:
    nothing = Answer(text="No.", sources=(source(1, Confidence.HIGH),), notes=(Note.NOT_FOUND,))
    assert badged(signs, nothing) is None


def test_what_was_not_judged_is_never_green(signs: Signs) -> None:
    badge = Badge(signs)
    assert badge.on(answer(), ASKED, [FOUND], LET_THROUGH).confidence is None
    unsure = answer("Both [1][2]", source(2, Confidence.LOW))
    assert badge.on(unsure, ASKED, [FOUND], LET_THROUGH).confidence is Confidence.LOW
