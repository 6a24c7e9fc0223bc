"""A list of sources below an answer: its numbers count, and people see no second list."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from worker.text.other_citations import in_brackets
from worker.text.source_list import without_list

TITLES = {"Leave": "Days", "Travel": "Hotels", "Expenses policy": "Limits"}
HITS = [
    hit(piece(f"Text {place}.", str(place), heading_path=(title, heading)), page(title, title))
    for place, (title, heading) in enumerate(TITLES.items(), start=1)
]


@pytest.mark.parametrize(
    "below",
    [
        "Sources: 2, 3",
        "**Sources:** [2], [3]",
        "Sources:\n[2] Travel\n[3] Expenses policy",
        "References:\n- Travel\n- Expenses policy > Limits",
        "Quellen: Evidenz 2, Evidenz 3",
        "(Source: [2] and [3])",
    ],
)
def test_its_numbers_count_where_the_answer_has_none(below: str) -> None:
    assert in_brackets(f"Three days.\n\n{below}", HITS) == "Three days. [2][3]"


@pytest.mark.parametrize(
    "below",
    [
        "Sources:\n[1] Leave",
        "Source: Leave",
        "[1]: Leave",
        "Sources:\n1. Travel\n2. Expenses policy",
    ],
)
def test_titles_add_nothing_to_an_answer_that_cites(below: str) -> None:
    assert in_brackets(f"In Portugal 25 days [1], else 30 [2].\n\n{below}", HITS) == (
        "In Portugal 25 days [1], else 30 [2]."
    )


def test_what_it_has_beside_the_answer_is_kept_at_the_end() -> None:
    reply = "Three days [2]. A hotel costs 110 EUR.\n\nSource: [3]"
    assert in_brackets(reply, HITS) == "Three days [2]. A hotel costs 110 EUR. [3]"


def test_behind_a_table_it_has_a_line_of_its_own_and_a_rule_above_it_goes() -> None:
    table = "| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert in_brackets(f"{table}\n\n---\nSources: 2", HITS) == f"{table}\n\n[2]"


def test_code_is_not_led() -> None:
    reply = "Run `echo ${a[1]}` [1].\n\nSources:\n[1] Expenses policy"
    assert in_brackets(reply, HITS) == "Run `echo ${a[1]}` [3]."


def test_it_is_left_out_where_the_answer_cites() -> None:
    reply = "Three days [2]. Four [3].\n\n[2]: Travel\n[3]: Expenses policy"
    assert in_brackets(reply, HITS) == "Three days [2]. Four [3]."


@pytest.mark.parametrize(
    "below",
    [
        "[^1]: Evidence 3\n[^2]: Evidence 2",
        "Sources:\n[1] Expenses policy\n[2] Travel",
        "Sources:\n[1] Expenses policy (last changed 2026-03-01)\n[2] 2026-03-01 · Travel › Hotels",
    ],
)
def test_numbers_of_the_models_own_are_led_to_what_it_names(below: str) -> None:
    reply = f"Three days [1]. Four [2].\n\n{below}"
    assert in_brackets(reply, HITS) == "Three days [3]. Four [2]."


@pytest.mark.parametrize(
    "reply",
    [
        "Ask HR.\n\nReferences are checked by HR in three days.",
        "Sources: the finance system and HR.",
        "- [1] Use the button\n- [3] Call 7777",
        "Steps:\n1. Log in\n2. Press the button",
        "Sources: 2, 3",
        "You need:\n- Photos: 2\n- References: 2",
        "IBAN: DE12\nReference: 17-2024",
        "Set this [1]:\n\n    replicas: 3\n    sources: 2",
        "Found:\n\n**Evidence:**\n- [1] A hotel costs 110 EUR.\n- [2] Breakfast is 10 EUR.",
        "Up to 110 EUR [^1].\n\n[^1]: Except in London, where it is 180 EUR.",
        "Use [the form][1] for it [2].\n\n[1]: https://forms.example/abc",
        "Yes.\n\nEvidence:\n- Evidence 2: Flights of six hours, if the CEO approves.",
        "Ja [2].\n\nBelege:\n- Beleg 2: Nur mit Zustimmung der Leitung.",
        "You need two things [1].\n\nBelege: 3",
        "Sie brauchen [1]:\n\n**Formulare:** 1\n\n**Nachweise:** 2",
        "Yes [1].\n\nSources:\n- Travel (only until 31 December)",
        "Press a number [1]:\n\n[1]: Deutsch\n[2]: English",
    ],
)
def test_what_is_no_such_list_stays(reply: str) -> None:
    assert without_list(reply, HITS) == (reply, [])
