"""Citations in forms that a model was not asked for are read all the same."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from core.models import Hit
from worker.text.citations import cite, without_brackets
from worker.text.other_citations import in_brackets

TITLES = {"Leave": "Days", "Travel": "Hotels", "Expenses policy": "Limits"}
HITS = [
    hit(piece(f"Text {place}.", str(place), heading_path=(title, heading)), page(title, title))
    for place, (title, heading) in enumerate(TITLES.items(), start=1)
]


def cited(reply: str, hits: list[Hit] = HITS) -> str:
    return in_brackets(reply, hits)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("Six months (Evidence 1).", "Six months [1]."),
        ("Six months (see evidence #2).", "Six months [2]."),
        ("Six months (Source: 1, 3).", "Six months [1][3]."),
        ("Six months (Evidence 1, Evidence 3).", "Six months [1][3]."),
        ("Six months (evidence 1 and 3).", "Six months [1][3]."),
        ("Sechs Monate (Quelle 2).", "Sechs Monate [2]."),
        ("Sechs Monate (Beleg 1 und Beleg 3).", "Sechs Monate [1][3]."),
        ("Six months<sup>2</sup>.", "Six months [2]."),
        ("According to Evidence 2, six months.", "According to [2], six months."),
        ("According to Evidence 1, 25 days.", "According to [1], 25 days."),
        ("Six months [2: Travel].", "Six months [2]."),
        ("Six months [Travel].", "Six months [2]."),
        ("Six months [Travel > Hotels].", "Six months [2]."),
    ],
)
def test_other_forms(reply: str, read: str) -> None:
    assert cited(reply) == read


@pytest.mark.parametrize("form", ["[1.]", "[doc1]", "[see 1]", "[siehe 1]", "[cite: 1]", "[1:2]"])
def test_words_within_brackets_are_read_while_it_is_written(form: str) -> None:
    assert cite(f"Six months {form}.", HITS)[0] == "Six months [1]."


def test_a_page_within_a_piece() -> None:
    assert cite("Six months [1, p. 2].", HITS)[0] == "Six months [1]."


@pytest.mark.parametrize(
    "reply",
    [
        "It takes 20 m², or 50 m<sup>2</sup> at most.",
        "First (1) log in, then (2) press the button.",
        "Article 6(1) says so (2).",
        "Kamphenkel (310) is the deputy.",
        "The meeting is in block 2 (Block 2).",
        "Das steht im Handbuch (Abschnitt 3), gemäß Abschnitt 4.2 der Richtlinie.",
        "Bewahren Sie Belege 2 Jahre auf.",
        "Submit the evidence 3 days before.",
        "Press `a (Evidence 1)`.",
        "[Everything](https://example.com/) is there.",
        "[2-factor authentication](https://x.example/2fa) is on.",
        "Enter your [4-digit PIN].",
        "See **Travel** and set AWS_TRAVEL_KEY.",
        "Click [Travel] and then [Save].",
        "It is approved [3: CEO].",
        "Evidence 1 and 2 photos were asked for.",
        "The service runs on port [8080](http://localhost:8080).",
        "The score is in [0, 1].",
        "Error E[07] means that it is hot.",
    ],
)
def test_what_is_no_citation(reply: str) -> None:
    assert cited(reply) == reply
    assert cite(reply, HITS) == (reply, ())


def test_beside_a_citation_in_brackets_nothing_else_is_taken_for_one() -> None:
    assert cited("In step (2) send it [1]. See Evidence 3.") == (
        "In step (2) send it [1]. See Evidence 3."
    )


def test_the_code_of_an_error_is_no_citation() -> None:
    assert cite("E[01] is out of labels [3].", HITS)[0] == "E[01] is out of labels [1]."


LISTED = ", ".join(map(str, range(1, 40)))


@pytest.mark.parametrize(
    "text",
    [f"[{LISTED}, ...]", f"({LISTED} or 25.5)", f"{LISTED} are open", f"Reference: 4711-{10**9}"],
)
def test_a_long_list_of_numbers_is_read_at_once(text: str) -> None:
    """Each comma once matched in two ways, so 22 numbers took ten seconds."""
    assert cited(text) == text
    assert cite(text, HITS) == (text, ())
    assert without_brackets(text) == text


def test_a_number_without_end_is_none() -> None:
    text = f"Evidence {'1' * 5000} [{'1' * 5000}]"
    assert cite(cited(text), HITS) == (text, ())
