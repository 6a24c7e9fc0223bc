"""Question templates: headings, cells and rows become questions that a person would ask."""

from __future__ import annotations

import pytest

from core.language import language
from worker.suggestions.question_templates import question_templates

TITLE = "Pump handbook"
ENGLISH, GERMAN = question_templates("en"), question_templates("de")


@pytest.mark.parametrize(
    ("heading", "asked"),
    [
        ("Restart the pump", "How do I restart the pump?"),
        ("How to drain the tank", "How do I drain the tank?"),
        ("Install", "How do I install according to “Pump handbook”?"),
        ("Upgrade order", "What should I know about Upgrade order?"),
        ("Before the first start", "What applies before the first start?"),
        ("After the trip", "What applies after the trip according to “Pump handbook”?"),
        ("Why it fails", "What does “Pump handbook” say about why it fails?"),
        ("Removed", "What was removed in “Pump handbook”?"),
        ("Steps", "What are the steps of “Pump handbook”?"),
        ("where can I park?", "Where can I park?"),
        ("lubricants", "What does “Pump handbook” say about lubricants?"),
    ],
)
def test_an_english_heading_becomes_a_question(heading: str, asked: str) -> None:
    assert ENGLISH.section(TITLE, heading)[0] == asked


@pytest.mark.parametrize(
    ("heading", "asked"),
    [
        ("Schmierstoffe", "Was steht in „Pump handbook“ über Schmierstoffe?"),
        ("Filter wechseln", "Wie geht Filter wechseln?"),
        ("Vor der ersten Inbetriebnahme", "Was gilt vor der ersten Inbetriebnahme?"),
        ("Bei Krankheit", "Was gilt bei Krankheit laut „Pump handbook“?"),
        (
            "Warum der Motor brummt",
            "Was steht in „Pump handbook“ dazu, warum der Motor brummt?",
        ),
        ("Wo kann ich parken?", "Wo kann ich parken?"),
        ("Ablauf", "Wie läuft „Pump handbook“ ab?"),
    ],
)
def test_a_german_heading_becomes_a_question(heading: str, asked: str) -> None:
    assert GERMAN.section(TITLE, heading)[0] == asked


def test_the_steps_on_a_page_that_says_how_to_are_those_of_its_title() -> None:
    assert ENGLISH.section("How to restore a backup", "Steps")[0] == "How do I restore a backup?"


@pytest.mark.parametrize("heading", ["Summary", "Overview"])
def test_a_heading_that_tells_nothing_is_not_asked_about(heading: str) -> None:
    assert ENGLISH.section(TITLE, heading) == ()


@pytest.mark.parametrize(
    ("key", "column", "asked"),
    [
        ("bergen-02", "VLAN", "What is the VLAN for bergen-02?"),
        ("Porto", "days of leave", "What are the days of leave for Porto?"),
        ("Vision", "team lead", "Who is the team lead of Vision?"),
        ("Induct", "meaning", "What is the meaning of Induct?"),
        ("", "duration", "What is the duration of “Pump handbook”?"),
        ("Porto", "per-unit costs", "What are the per-unit costs for Porto?"),
        ("Porto", "in-house rate", "What is the in-house rate for Porto?"),
    ],
)
def test_a_cell_is_asked_for_by_its_row_and_its_column(key: str, column: str, asked: str) -> None:
    assert ENGLISH.cell(TITLE, key, column)[0] == asked


def test_what_a_column_counts_is_asked_for_by_how_many() -> None:
    assert (
        ENGLISH.cell(TITLE, "Firmware", "people", "11")[0] == "How many people does Firmware have?"
    )
    assert GERMAN.cell(TITLE, "Firmware", "Personen", "11")[0] == "Wie viele Personen hat Firmware?"
    assert (
        ENGLISH.cell(TITLE, "Firmware", "people", "Ann")[0] == "What are the people for Firmware?"
    )
    assert GERMAN.cell(TITLE, "Firmware", "Größe", "11")[0] == "Größe für Firmware?"


@pytest.mark.parametrize(
    "column",
    ["With 4.2", "What happened", "Told within", "Speed › 1 m/s", "per Name", "Per 100 km"],
)
def test_a_column_that_is_no_noun_is_not_asked_for(column: str) -> None:
    assert ENGLISH.cell(TITLE, "Porto", column) == ()


def test_the_first_text_that_shows_a_language_decides() -> None:
    assert language("Porto?", "Und wie lange?", "The pump is old.") == "de"
    assert language("Porto?", "¿Cuánto cuesta?") is None
