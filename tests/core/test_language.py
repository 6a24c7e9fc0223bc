"""The language of a question: by its own words, and not by those that other languages share."""

from __future__ import annotations

import pytest

from core.language import language


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Wie viele Tage Urlaub gibt es?", "de"),
        ("How many days of leave are there?", "en"),
        ("HOW MANY DAYS OF LEAVE ARE THERE?", "en"),
        ("Hat Anna Zugang?", "de"),
        ("Urlaubsantrag stellen wie", "de"),
        ("wieviel tage frei gibts obendrauf wenn man 3-schicht fährt", "de"),
        ("passwort vergessen, krieg kein neues", "de"),
        ("got locked out, whats next", "en"),
    ],
)
def test_a_language_is_known_by_its_little_words(asked: str, found: str) -> None:
    assert language(asked) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [("Ansprechpartner IT", None), ("IT-Support für Monteure?", "de"), ("Support AN US", None)],
)
def test_an_abbreviation_is_no_little_word(asked: str, found: str | None) -> None:
    assert language(asked) == found


@pytest.mark.parametrize(
    "asked",
    [
        "Quels sont les avantages des salariés ?",
        "Où est le bureau des RH ?",
        "On est où ?",
        "Il y a une cantine ?",
        "Où puis-je trouver la liste des prix ?",
        "¿Cuál es la política de vacaciones?",
        "Quanti giorni di ferie ci sono?",
        "Com accedir als servidors?",
        "Şifre hangisi dir",
        "Kan man parkere her",
    ],
)
def test_another_language_is_taken_for_none(asked: str) -> None:
    assert language(asked) is None
