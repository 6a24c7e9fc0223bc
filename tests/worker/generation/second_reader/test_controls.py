"""Controls among claims: a reader that fails one of them is not believed."""

from __future__ import annotations

import re

from wiki import hit, page, piece

from core.models import Hit
from worker.generation.second_reader.controls import MADE_UP, Controlled, controlled
from worker.support.statements import statements_of

TRAVEL = "A hotel in Porto costs up to 110 EUR a night. Business class is never paid for."
CLAIMS = ["Porto hotels are paid up to 110 euros.", "Nobody flies business."]


def made(text: str, claims: list[str] | None = None, cited: tuple[int, ...] = ()) -> Controlled:
    hits: list[Hit] = [hit(piece(text, "1"), page("1", "Travel policy"))]
    given = [(claim, cited) for claim in claims or CLAIMS]
    found = controlled(given, statements_of(hits), ["Travel policy"])
    assert found is not None
    return found


def test_one_control_stands_on_the_page_and_the_other_has_a_number_that_stands_nowhere() -> None:
    found = made(TRAVEL)
    assert found.texts[found.said][0] in TRAVEL
    other, _ = found.texts[found.made_up]
    assert other not in TRAVEL
    assert re.sub(r"\d+", "110", other) in TRAVEL


def test_the_claims_keep_their_order() -> None:
    found = made(TRAVEL)
    assert [found.texts[place][0] for place in found.own] == CLAIMS
    assert sorted([*found.own, found.said, found.made_up]) == [0, 1, 2, 3]


def test_the_same_claims_get_the_same_controls() -> None:
    assert made(TRAVEL) == made(TRAVEL)


def test_the_places_of_the_controls_are_not_always_the_same() -> None:
    places = {made(TRAVEL, [f"Claim {number} holds."]).said for number in range(30)}
    assert places == {0, 1, 2}


def test_without_a_number_the_false_one_is_made_up() -> None:
    found = made("Business class is never paid for by anyone.")
    assert found.texts[found.made_up][0] == MADE_UP


def test_without_a_whole_sentence_the_title_is_the_true_one() -> None:
    found = made("Porto")
    assert found.texts[found.said][0] == "One of the pages is called “Travel policy”."


def test_a_number_of_an_item_a_date_or_a_version_is_not_changed() -> None:
    for text in ("1. Order the laptop for her.", "It was changed in version 2.4.1 by the team."):
        found = made(text)
        assert found.texts[found.made_up][0] == MADE_UP


def test_who_says_yes_to_all_or_no_to_all_or_mixes_them_up_is_not_believed() -> None:
    found = made(TRAVEL)
    assert found.believed([True] * 4) is None
    assert found.believed([False] * 4) is None
    mixed = [place == found.made_up for place in range(4)]
    assert found.believed(mixed) is None


def test_who_judges_both_rightly_is_believed_on_the_claims() -> None:
    found = made(TRAVEL)
    told = [place in (found.said, found.own[1]) for place in range(4)]
    assert found.believed(told) == (False, True)


def test_controls_cite_as_the_claims_do() -> None:
    assert {places for _, places in made(TRAVEL).texts} == {()}
    cited = made(TRAVEL, cited=(1,))
    assert {places for _, places in cited.texts} == {(1,)}


def test_where_nothing_can_be_a_control_there_is_none() -> None:
    hits: list[Hit] = [hit(piece("Porto", "1"), page("1", ""))]
    assert controlled([("Porto.", ())], statements_of(hits), [""]) is None
