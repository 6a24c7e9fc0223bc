"""The entity tree's own measure: its data hold together, and the figures do not fall."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wiki import put, searching

from core.evidence import EvidenceStore
from core.models import Page
from evaluation.harness.as_indexed import AsIndexed
from evaluation.retrieval.entities import FILE, PAGES, measure, questions, report
from indexer.evidence.build import evidence
from indexer.parse import parse
from sandbox.confluence.site.load import load
from worker.bootstrap import rarity
from worker.entities import Entities
from worker.entities.current import CurrentTree
from worker.entities.entities_file import read
from worker.extractive.extractor import Extractor
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retriever


@pytest.fixture
def pipeline(store: EvidenceStore) -> Pipeline:
    """The worker's, without a model, over the measure's pages."""
    for entry in load(PAGES).entries.values():
        url = f"https://wiki.example/pages/{entry.id}"
        on = Page(
            id=entry.id, title=entry.title, space=entry.space, url=url, parent_id=entry.parent_id
        )
        put(store, on, *evidence(on, parse(entry.body)))
    extractor = Extractor(store.live().embedder, lambda term: rarity(store.lexical, term))
    places = Entities(CurrentTree(store.database, read(FILE)).tree)
    retriever = Retriever(searching(store))
    return Pipeline(
        Completer(None),
        retriever,
        LiveAccess(AsIndexed()),
        Generator(None, extractor),
        entities=places,
    )


def test_quoted_answers_are_right_far_more_often_with_the_tree_and_no_mention_is_wrong(
    pipeline: Pipeline,
) -> None:
    with_tree = report(list(measure(pipeline, pipeline)))
    without = report(list(measure(replace(pipeline, entities=None), pipeline)))
    assert (with_tree["precision"], with_tree["recall"] >= 0.95) == (1.0, True)
    assert with_tree["right"] >= 0.92
    # Of ten that are wrong without the tree, nine at least are right with it.
    assert 1 - with_tree["right"] <= (1 - without["right"]) / 10
    assert with_tree["none"] >= without["none"], (
        "questions about nobody's place are answered as before"
    )


def test_there_are_questions_of_every_kind_a_third_of_them_german() -> None:
    asked = questions()
    assert len(asked) >= 60
    assert {each.kind for each in asked} == {"simple", "complex", "none"}
    assert 3 * sum(each.language == "de" for each in asked) >= len(asked)


def test_every_expected_entity_is_in_the_file() -> None:
    names = {entity.name for entity in read(FILE)}
    assert {name for question in questions() for name in question.entities} <= names
