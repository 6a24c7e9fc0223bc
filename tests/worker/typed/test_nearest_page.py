"""Who looks for a page is told the one whose title or heading is nearly what it is called."""

from __future__ import annotations

import pytest
from composed import line
from wiki import hit, page, piece

HITS = (
    hit(
        piece("Closed on 1 May.", "41", heading_path=("Bank holidays",)),
        page("41", "Leave and absence"),
    ),
    hit("Welcome.", page("42", "Onboarding in Porto")),
    hit("Descale it.", page("43", "Kaffeemaschine reinigen")),
    hit("Trips are booked early.", page("44", "Travel policy")),
)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("is there a page about bank holidays?", "Leave and absence"),
        ("do we have a page on bank holidays", "Leave and absence"),
        ("which page is about bank holidays", "Leave and absence"),
        ("link to the bank holidays", "Leave and absence"),
        ("where's the onboarding doc", "Onboarding in Porto"),
        ("where is the doc about onboarding", "Onboarding in Porto"),
        ("is there a document on the onboarding of colleagues in Porto?", "Onboarding in Porto"),
        ("do you have documentation on travel?", "Travel policy"),
        ("gibt es eine seite zu onboarding", "Onboarding in Porto"),
        ("haben wir eine seite über travel", "Travel policy"),
        ("wo ist die anleitung für die kaffeemaschine", "Kaffeemaschine reinigen"),
        ("wo finde ich die seite zu travel", "Travel policy"),
        ("auf welcher seite geht es um bank holidays", "Leave and absence"),
    ],
)
def test_a_page_that_is_looked_for_is_named(question: str, title: str) -> None:
    said = line(question, *HITS)
    assert said.startswith(("Yes: ", "Ja: ", "Pages on this: ", "Seiten dazu: "))
    assert said.endswith(f"“{title}”")


@pytest.mark.parametrize(
    "question",
    [
        "is there a page about cranes?",
        "is there a page on the policy of salary?",  # half of it is not most of it
        "is there a page about onboarding in Porto 2025?",  # another year
        "where is the coffee machine",  # no page
        "wo ist die kaffeemaschine",
    ],
)
def test_a_page_that_is_not_near_is_not_named(question: str) -> None:
    assert line(question, *HITS) == ""


def test_a_heading_counts_only_among_the_first_hits() -> None:
    first, *others = HITS
    assert line("is there a page about bank holidays?", *others, first) == ""


def test_a_draft_is_not_near() -> None:
    draft = hit(
        piece("Closed.", "45", heading_path=("Bank holidays",)), page("45", "Leave (draft)")
    )
    assert line("is there a page about bank holidays?", draft) == ""
