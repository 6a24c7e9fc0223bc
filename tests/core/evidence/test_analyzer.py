"""Words as the lexical index sees them."""

from __future__ import annotations

import unicodedata

import pytest

from core.evidence.lexical.analyzer import content_words, whole_words, words
from core.evidence.lexical.dates import dates


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("TERN-2238", ["tern-2238", "tern", "2238"]),
        ("run_tests.sh", ["run_tests.sh", "run", "test", "sh"]),
        ("SkyLift", ["skylift", "sky", "lift"]),
        ("parseHTMLPage", ["parsehtmlpag", "pars", "html", "page"]),
        ("ops@example.org", ["ops@example.org", "op", "exampl", "org"]),
        ("/etc/hosts:", ["etc/hosts", "etc", "host"]),
        ("4.8.16.2", ["4.8.16.2", "4.8.16", "4.8"]),
    ],
)
def test_an_identifier_is_found_whole_and_in_parts(written: str, terms: list[str]) -> None:
    assert words(written) == terms


@pytest.mark.parametrize(
    "written",
    [
        "7.3.19",
        "7. 3. 2019",
        "March 7 2019",
        "Mar 7th, 2019",
        "7 March, 2019",
        "7. März 2019",
        "2019-03-07",
        "3/7/2019",
    ],
)
def test_a_day_is_found_however_it_is_written(written: str) -> None:
    assert {"2019-03", "2019-03-07"} <= set(words(f"The storm of {written} was short"))
    assert {"2019-03", "2019-03-07"} <= set(content_words(written))


def test_a_month_is_found_in_both_languages() -> None:
    assert set(words("März 2024")) & set(words("March 2024")) == {"2024", "2024-03"}


@pytest.mark.parametrize(
    "written", ["version 13.13.13", "45.1.2024", "room 2024", "10.0.0.1", "99/99/2024"]
)
def test_what_cannot_be_a_date_is_none(written: str) -> None:
    assert dates(written) == []


def test_a_version_is_found_by_what_it_begins_with_but_not_by_a_single_number() -> None:
    assert words("9.0.2") == ["9.0.2", "9.0"]
    assert not set(words("9 0 2")) & set(words("9.0.2"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("für", "fur"),
        ("Straße", "STRASSE"),
        ("café", "cafe"),
        ("leaves", "leave"),
        ("Büros", "büro"),
    ],
)
def test_words_meet_across_spellings(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.parametrize("composed", ["Grüße", "Ångström", "naïve"])
def test_a_letter_and_its_mark_are_one_word_however_they_are_encoded(composed: str) -> None:
    assert words(unicodedata.normalize("NFD", composed)) == words(composed)


def test_punctuation_is_no_word() -> None:
    assert words("… — “”, (!) [1]?") == ["1"]
    assert words("") == []


def test_stop_words_of_both_languages_are_left_out_of_a_question() -> None:
    assert content_words("What is the leave in Porto?") == words("leave Porto")
    assert content_words("Wie viele Tage Urlaub gibt es für uns?") == words("Tage Urlaub")
    assert content_words("How do I get there from the airport?") == words("airport")


def test_a_stop_word_inside_an_identifier_stays() -> None:
    assert "is" in content_words("is IS-42")


def test_a_question_of_stop_words_has_no_content() -> None:
    assert content_words("What is this?") == []


def test_whole_words_leave_the_parts_out() -> None:
    assert whole_words("Lumo SkyLift 3180") == ["lumo", "skylift", "3180"]


@pytest.mark.parametrize(
    "word", ["-".join(["ab"] * 1000), ".".join(["1"] * 1000), "-".join(["e", *"mailpost"])]
)
def test_a_word_of_many_parts_has_no_more_terms_than_parts_and_some(word: str) -> None:
    parts = len(word.replace(".", "-").split("-"))
    assert len(words(word)) <= parts + 20


def test_words_between_hyphens_are_found_joined() -> None:
    assert {"email", "mailbox", "emailbox"} <= set(words("E-mail-box"))
