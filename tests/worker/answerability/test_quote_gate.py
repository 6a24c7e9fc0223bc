"""The second look: what is quoted is refused where evidence and quote say too little together."""

from __future__ import annotations

from time import time

import pytest
from judging import signs_of, small_wiki
from wiki import HOTEL, hit, page, piece

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceSearch, EvidenceStore
from core.models import Answer, Note, Source
from core.question import Completed
from evaluation.harness.as_indexed import AsIndexed
from worker.answerability.badge import Badge
from worker.answerability.fitted import fitted
from worker.answerability.gate import AnswerGate, Judgement, least
from worker.answerability.quote_gate import QuoteGate, likely
from worker.answerability.signs import Signs
from worker.extractive.extractor import Extractor
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retriever

QUESTION = "What does a hotel in Porto cost?"
ASKED = Completed(question=QUESTION, text=QUESTION)
TRAVEL = page("1", "Travel costs")
FOUND = hit(piece(HOTEL, "1"), TRAVEL, score=8.0, dense=0.8)
QUOTE = Answer(
    text=f"{HOTEL} [1]",
    sources=(
        Source(
            number=1,
            title="Travel costs",
            url="https://wiki.example/1",
            evidence_ids=(FOUND.evidence.id,),
        ),
    ),
)
EVERYTHING, NOTHING = 0.3, 0.0  # of what is answerable may be lost


@pytest.fixture
def evidence(store: EvidenceStore) -> EvidenceSearch:
    return small_wiki(store)


@pytest.fixture
def signs(evidence: EvidenceSearch, embedder: Bundled) -> Signs:
    return signs_of(evidence, embedder)


def test_an_answer_passes_and_a_quote_of_something_else_does_not(signs: Signs) -> None:
    gate = QuoteGate(Badge(signs), EVERYTHING)
    judged = AnswerGate(signs).judged(ASKED, [FOUND])
    assert gate.passes(QUOTE, ASKED, [FOUND], judged)
    other = Completed(question="Who cleans the windows?", text="Who cleans the windows?")
    judged = AnswerGate(signs).judged(other, [FOUND])
    assert not gate.passes(QUOTE, other, [FOUND], judged)
    assert QuoteGate(Badge(signs), NOTHING).passes(QUOTE, other, [FOUND], judged)


def test_what_is_certain_or_said_to_be_unknown_passes(signs: Signs) -> None:
    gate = QuoteGate(Badge(signs), EVERYTHING)
    other = Completed(question="Who cleans the windows?", text="Who cleans the windows?")
    judged = AnswerGate(signs).judged(other, [FOUND])
    certain: list[Judgement] = [
        judged._replace(is_composed=True),
        judged._replace(is_placed=True),
    ]
    assert all(gate.passes(QUOTE, other, [FOUND], each) for each in certain)
    unknown = QUOTE.model_copy(update={"notes": (Note.NOT_FOUND,)})
    assert gate.passes(unknown, other, [FOUND], judged)


def test_both_count_alike_and_the_more_may_be_lost_the_more_is_refused(signs: Signs) -> None:
    quoted = fitted("quoted")
    assert quoted.weights == {"gate": 0.5, "badge": 0.5}
    points = [least(quoted, share) for share in (0.0, 0.01, 0.05, 0.1, 0.3)]
    assert points == sorted(points)
    judged = AnswerGate(signs).judged(ASKED, [FOUND])
    said = Badge(signs).signs(QUOTE, ASKED, [FOUND], judged)
    together = likely(judged.signs, said, fitted("badge"))
    alone = sorted((judged.probability, fitted("badge").probability(said)))
    assert alone[0] <= together <= alone[1]


@pytest.mark.parametrize("is_there", [True, False])
def test_the_pipeline_asks_it_of_quotes_whatever_the_gate_alone_thinks(
    evidence: EvidenceSearch, signs: Signs, extractor: Extractor, is_there: bool
) -> None:
    pipeline = Pipeline(
        Completer(None),
        Retriever(evidence),
        LiveAccess(AsIndexed()),
        Generator(None, extractor),
        gate=AnswerGate(signs, lost=EVERYTHING),
        badge=Badge(signs) if is_there else None,
    )
    # So short that the gate alone refuses it; what is quoted has all of it.
    record = pipeline.answer("hotel Porto", (), deadline=time() + 60)
    assert (Note.NOT_FOUND in record.answer.notes) is not is_there
