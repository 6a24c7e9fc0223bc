"""Processor time by step: what is measured answers as it would unmeasured."""

from __future__ import annotations

import time

from wiki import HOTEL, page, piece, put, searching

from core.evidence import EvidenceStore
from evaluation.answers.speed import STEPS, Spent, timed
from evaluation.harness.as_indexed import AsIndexed
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retriever
from worker.suggestions.suggester import Suggester


def test_every_step_is_measured_and_the_answer_is_the_same(
    store: EvidenceStore, extractor: Extractor
) -> None:
    put(store, page("1", "Travel policy"), piece(HOTEL, "1"))
    evidence = searching(store)
    plain = Pipeline(
        Completer(None, evidence),
        Retriever(evidence),
        LiveAccess(AsIndexed()),
        Generator(None, extractor),
        filters=Filters(Vocabularies(store.database).of),
        suggester=Suggester(evidence),
    )
    spent: Spent = dict.fromkeys((step for step, _ in STEPS.values()), 0.0)
    question, deadline = "What does a hotel in Porto cost?", time.time() + 60
    measured = timed(plain, spent).answer(question, [], deadline=deadline)
    assert measured.answer == plain.answer(question, [], deadline=deadline).answer
    assert all(seconds > 0 for seconds in spent.values())
