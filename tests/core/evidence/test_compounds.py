"""Compounds: what one writes as a word, another one writes as two, or with hyphens."""

from __future__ import annotations

from core.evidence.lexical.analyzer import words
from core.evidence.query.compounds import joined, parts

LINKS = ("", "s", "es", "n", "en")
PAGES = {*words("Betriebsrat Sitzung Patient Akte Patientenakte Betriebsratssitzung Hund")}


def known(term: str) -> bool:
    return term in PAGES


def test_a_compound_has_the_parts_that_the_pages_have() -> None:
    assert parts("Betriebsratssitzung", known, LINKS) == ("betriebsrat", words("Sitzung")[0])
    assert parts("Patientenakte", known, LINKS) == ("patient", words("Akte")[0])


def test_a_word_is_not_cut_where_no_page_has_both_parts() -> None:
    assert parts("Hundehaltung", known, LINKS) == ()


def test_two_words_make_the_compound_that_the_pages_have_in_either_order() -> None:
    (compound,) = words("Patientenakte")
    assert joined(["Akte", "Patienten"], known, LINKS) == {compound: 1}
    assert joined(["Patient", "Akte"], known, LINKS) == {compound: 1}


def test_two_words_make_nothing_that_no_page_has() -> None:
    assert joined(["Hund", "Akte"], known, LINKS) == {}


def test_a_word_with_hyphens_is_found_without_them_and_in_part() -> None:
    assert {*words("Emailadresse")} <= {*words("E-Mail-Adresse")}
    assert {*words("Email Adresse")} <= {*words("E-Mail-Adresse")}
    assert {*words("Mailadresse")} <= {*words("E-Mail-Adresse")}
