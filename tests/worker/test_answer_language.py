"""The language of an answer: as chosen, as its question is worded, as its asker reads Slack."""

from __future__ import annotations

import pytest
from test_jobs import answered, parts
from test_manner import choose
from wiki import HOTEL, page, piece, put

from core.evidence import EvidenceStore
from core.language.sentences import sentences
from core.models import Note
from core.policy import people
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor

ENGLISH, GERMAN, NEITHER = "What does a hotel in Porto cost?", "Was kostet ein Hotel?", "Porto?"


@pytest.fixture
def quoting(store: EvidenceStore, extractor: Extractor) -> WorkerParts:
    put(store, page("2", "Travel policy"), piece(HOTEL, "2"))
    return parts(store, extractor, None)


def spoken(made: WorkerParts, *questions: str) -> list[str]:
    """The language of each answer in one conversation."""
    found = []
    for number, question in enumerate(questions):
        _, record = answered(made, question, ts=f"{number}.5")
        found.append(sentences(record.completed.language).language)
    return found


def test_an_answer_is_in_the_language_of_its_question(quoting: WorkerParts) -> None:
    assert spoken(quoting, ENGLISH, GERMAN) == ["en", "de"]


def test_a_question_that_shows_no_language_follows_its_conversation(quoting: WorkerParts) -> None:
    assert spoken(quoting, NEITHER, GERMAN, NEITHER) == ["en", "de", "de"]


def test_else_it_is_answered_in_the_locale_of_its_asker(quoting: WorkerParts) -> None:
    people.remember_locale(quoting.database, "T1", "U1", "de-AT")
    assert spoken(quoting, NEITHER, ENGLISH) == ["de", "en"]


def test_what_the_channel_has_chosen_comes_first(quoting: WorkerParts) -> None:
    choose(quoting, language="German")
    assert spoken(quoting, ENGLISH) == ["de"]


def test_a_chosen_language_without_a_catalogue_changes_nothing(quoting: WorkerParts) -> None:
    choose(quoting, language="Polish")
    assert spoken(quoting, ENGLISH, GERMAN) == ["en", "de"]


def test_an_abstention_is_said_in_the_language_of_the_question(quoting: WorkerParts) -> None:
    _, record = answered(quoting, "Wann fährt die nächste Fähre nach Oslo ab?")
    assert Note.NOT_FOUND in record.answer.notes
    assert record.answer.text == sentences("de")("not-found")
