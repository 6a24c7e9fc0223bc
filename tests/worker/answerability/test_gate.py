"""What the gate refuses, and what it lets through."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from time import time
from typing import Any

import pytest
from judging import signs_of
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece, put, searching

from core.embeddings.bundled import Bundled
from core.errors import StoreUnavailable
from core.evidence import EvidenceSearch, EvidenceStore
from core.manner import Mode
from core.models import Hit, Kind, Note
from core.question import Completed
from evaluation.harness.as_indexed import AsIndexed
from worker.answerability.fitted import Regression, fitted
from worker.answerability.gate import AnswerGate, least
from worker.answerability.signs import SIGNS, Signs
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer, Past
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retrieved, Retriever

OTHERS = [
    "The crane on the northern quay lifts twelve tonnes.",
    "New colleagues get a key card on their first morning.",
    "Invoices are paid within thirty days by the bookkeeping team.",
    "The canteen serves lunch from half past eleven.",
    "A broken laptop is taken to the help desk on the second floor.",
    "Meeting rooms are booked in the calendar.",
    "The fire drill takes place every spring.",
    "Expenses need a receipt and the name of the project.",
    "The data centre moves to Aarhus next winter.",
]


@pytest.fixture
def evidence(store: EvidenceStore) -> EvidenceSearch:
    """A small wiki with pages about several things."""
    titles = ["Leave", "Travel costs", "Backups", *(f"Page {n}" for n in range(len(OTHERS)))]
    texts = [LEAVE, HOTEL, BACKUP, *OTHERS]
    for number, (title, text) in enumerate(zip(titles, texts, strict=True)):
        put(store, page(str(number), title), piece(text, str(number)))
    return searching(store)


@pytest.fixture
def signs(evidence: EvidenceSearch, embedder: Bundled) -> Signs:
    return signs_of(evidence, embedder)


TOLD = (
    "I met nineteen volcanologists yesterday and we lost one another twice between elevators, "
    "fountains, the velodrome and a bicycle cellar full of melons and accordions."
)
ASKED = "What does a hotel in Porto cost?"
IN_FEW_WORDS = "Porto hotel limit?"
POINTS_BACK = "What does that cost in Porto?"
MORE = "My grandmother bakes pancakes with maple syrup, and our cat sleeps on the piano all day."


def asked(text: str) -> Completed:
    return Completed(question=text, text=text)


def found(evidence: EvidenceSearch, text: str) -> tuple[Hit, ...]:
    return Retriever(evidence).retrieve(asked(text)).hits


@pytest.mark.parametrize(
    "question",
    [
        "What does a hotel in Porto cost?",
        "Was kostet ein Hotel in Porto?",
        "When does the backup of the harbour database run?",
        "How many days of leave does Porto have?",
    ],
)
def test_what_a_page_answers_is_let_through(
    evidence: EvidenceSearch, signs: Signs, question: str
) -> None:
    assert AnswerGate(signs).judged(asked(question), found(evidence, question)).is_answerable


@pytest.mark.parametrize(
    "question",
    [
        "How do I bake pancakes?",
        "Wer hat die Mona Lisa gemalt?",
        "Write a poem about autumn leaves",
        "Which planet has the most moons?",
    ],
)
def test_what_is_about_nothing_in_the_wiki_is_refused(
    evidence: EvidenceSearch, signs: Signs, question: str
) -> None:
    assert not AnswerGate(signs).judged(asked(question), found(evidence, question)).is_answerable


def test_without_evidence_it_is_refused_and_a_place_in_the_tree_is_let_through(
    signs: Signs,
) -> None:
    gate = AnswerGate(signs)
    place = hit(piece("Vision belongs to Engineering.", kind=Kind.PLACE))
    assert not gate.judged(asked("Where does Vision belong?"), []).is_answerable
    assert gate.judged(asked("Where does Vision belong?"), [place]).is_answerable


def test_what_is_composed_from_structure_is_let_through_however_unlike_it_looks(
    evidence: EvidenceSearch, signs: Signs
) -> None:
    question = "How do I bake pancakes?"
    gate = AnswerGate(signs, is_certain=lambda _completed, _hits: True)
    assert gate.judged(asked(question), found(evidence, question)).is_answerable


def test_who_may_lose_nothing_refuses_nothing(evidence: EvidenceSearch, signs: Signs) -> None:
    question = "How do I bake pancakes?"
    judged = AnswerGate(signs, lost=0.0).judged(asked(question), found(evidence, question))
    assert judged.is_answerable
    assert judged.probability < least(fitted("gate"), 0.03)


def test_the_more_may_be_lost_the_more_is_refused() -> None:
    shares = [0.0, 0.005, 0.01, 0.03, 0.05, 0.1, 0.3]
    points = [least(fitted("gate"), share) for share in shares]
    assert points == sorted(points)
    assert points[0] == 0.0 < points[1]


def test_every_sign_points_the_way_it_is_explained() -> None:
    weights = fitted("gate").weights
    assert set(weights) == set(SIGNS)
    assert all(weight > 0 for name, weight in weights.items() if name != "number")
    assert weights["number"] < 0


def test_a_number_that_no_found_page_has_lowers_the_probability(
    evidence: EvidenceSearch, signs: Signs
) -> None:
    hits = found(evidence, "crane quay tonnes")
    known = signs.of(asked("crane quay 110"), [*hits, hit(piece(HOTEL, "1"))])
    unknown = signs.of(asked("crane quay 4711"), [*hits, hit(piece(HOTEL, "1"))])
    assert (known["number"], unknown["number"]) == (0.0, 1.0)


def test_a_probability_is_never_out_of_range() -> None:
    steep = Regression(intercept=0, weights={"best": 1e6})
    assert steep.probability({"best": -1.0}) >= 0.0
    assert steep.probability({"best": 1.0}) <= 1.0


def gated(retriever: Retriever, extractor: Extractor, gate: AnswerGate) -> Pipeline:
    """A worker's pipeline that quotes, behind this gate."""
    generator = Generator(None, extractor)
    return Pipeline(Completer(None), retriever, LiveAccess(AsIndexed()), generator, gate=gate)


def test_what_a_message_tells_does_not_close_the_gate_to_its_question(
    evidence: EvidenceSearch, signs: Signs, extractor: Extractor
) -> None:
    gate, retriever = AnswerGate(signs, lost=0.2), Retriever(evidence)
    whole = Completed(question=IN_FEW_WORDS, text=IN_FEW_WORDS, context=(TOLD,))
    assert not gate.judged(whole, retriever.retrieve(whole).hits).is_answerable
    pipeline = gated(retriever, extractor, gate)
    record = pipeline.answer(f"{TOLD} {IN_FEW_WORDS}", (), deadline=time() + 60)
    assert Note.NOT_FOUND not in record.answer.notes
    assert "110 EUR" in record.answer.text
    assert not record.completed.context


SHORTLY = "Pancakes for breakfast in the canteen today."


def test_of_a_short_message_too_its_question_is_asked_alone_where_the_whole_is_refused(
    evidence: EvidenceSearch, signs: Signs, extractor: Extractor
) -> None:
    gate, retriever = AnswerGate(signs, lost=0.3), Retriever(evidence)
    whole = asked(f"{SHORTLY} {ASKED}")
    assert not gate.judged(whole, retriever.retrieve(whole).hits).is_answerable
    pipeline = gated(retriever, extractor, gate)
    record = pipeline.answer(whole.text, (), deadline=time() + 60)
    assert "110 EUR" in record.answer.text
    assert record.completed.question == ASKED


def test_a_follow_up_that_has_left_its_conversation_is_asked_alone_where_it_is_refused(
    evidence: EvidenceSearch, signs: Signs, extractor: Extractor
) -> None:
    gate, retriever = AnswerGate(signs, lost=0.3), Retriever(evidence)
    history = [Past(question="How long does our cat sleep on the piano at home all day?")]
    whole, _ = Completer(None).complete(ASKED, history, deadline=0)
    assert not gate.judged(whole, retriever.retrieve(whole).hits).is_answerable
    record = gated(retriever, extractor, gate).answer(ASKED, history, deadline=time() + 60)
    assert "110 EUR" in record.answer.text
    assert not record.completed.context


class FailingAlone(Retriever):
    """Loses its store before it is asked without a conversation."""

    def retrieve(
        self, completed: Completed, *given: Any, mode: Mode = Mode.BOTH, **more: Any
    ) -> Retrieved:
        if not completed.context:
            raise StoreUnavailable("the store is away")
        return super().retrieve(completed, *given, mode=mode, **more)


@pytest.mark.parametrize(("lost", "is_answered"), [(0.0, True), (0.3, False)])
def test_an_answer_is_not_lost_with_the_search_that_might_have_found_a_better_one(
    lost: float,
    is_answered: bool,
    evidence: EvidenceSearch,
    signs: Signs,
    extractor: Extractor,
) -> None:
    pipeline = gated(FailingAlone(evidence), extractor, AnswerGate(signs, lost=lost))
    history = [Past(question="How long does our cat sleep on the piano at home all day?")]
    told = nullcontext() if is_answered else pytest.raises(StoreUnavailable)
    with told:
        assert pipeline.answer(ASKED, history, deadline=time() + 60).completed.context


def test_a_question_that_points_back_is_not_asked_without_what_it_points_to(
    evidence: EvidenceSearch, signs: Signs, extractor: Extractor
) -> None:
    alone = Completed(question=POINTS_BACK, text=POINTS_BACK)
    gate, retriever = AnswerGate(signs, lost=0.3), Retriever(evidence)
    assert gate.judged(alone, retriever.retrieve(alone).hits).is_answerable
    pipeline = gated(retriever, extractor, gate)
    record = pipeline.answer(f"{TOLD} {MORE} {POINTS_BACK}", (), deadline=time() + 60)
    assert Note.NOT_FOUND in record.answer.notes


def test_of_a_long_message_whose_filter_no_page_passes_that_is_still_said(
    evidence: EvidenceSearch, signs: Signs, extractor: Extractor
) -> None:
    pipeline = gated(Retriever(evidence), extractor, AnswerGate(signs, lost=0.3))
    pipeline = replace(pipeline, filters=Filters(Vocabularies(evidence.database).of))
    filtered = "Look only at pages that were changed after 1 March 2031."
    record = pipeline.answer(f"{TOLD} {filtered} {ASKED}", (), deadline=time() + 60)
    assert "110 EUR" in record.answer.text
    assert not record.completed.context
    assert Note.CONDITIONS_DROPPED in record.answer.notes
