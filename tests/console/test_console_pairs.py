"""Pairs in the console: looked at and decided on by operators, of pages that everybody may read."""

from __future__ import annotations

import pytest
from consoled import Consoled, form_token
from wiki import piece

from console.sessions import ConsoleRole
from core.pages import PageKey
from core.pairs import pairs
from core.pairs.pairs import Pair
from core.states import PairOrigin, PairState


def proposed(console: Consoled, question: str, page: PageKey) -> str:
    shown = piece("Ben.", page.id).id  # as consoled.py writes a page
    pair = Pair(question, "31 <b>bicycles</b>.", page, shown, PairOrigin.PAGE)
    pairs.propose(console.database, [pair])
    return next(
        each.id
        for each in pairs.of_state(console.database, PairState.PROPOSED)
        if each.question == question
    )


def state_of(console: Consoled, pair_id: str) -> PairState:
    return next(
        state
        for state in PairState
        if any(each.id == pair_id for each in pairs.of_state(console.database, state))
    )


def test_an_operator_accepts_and_takes_back_a_pair(console: Consoled) -> None:
    page = console.write("1", "Cellar")
    pair_id = proposed(console, "How many bicycles?", page.key)
    browser = console.inside()
    shown = browser.get("/pairs").text
    assert "How many bicycles?" in shown
    assert "Cellar" in shown
    assert "<b>bicycles" not in shown
    sent = {"form_token": form_token(shown), "pair": pair_id, "state": "accepted"}
    assert browser.post("/pairs/decide", data=sent).is_success
    assert state_of(console, pair_id) is PairState.ACCEPTED
    assert "How many bicycles?" in browser.get("/pairs?state=accepted").text
    assert "How many bicycles?" not in browser.get("/pairs").text
    assert browser.post("/pairs/decide", data=sent | {"state": "refused"}).is_success
    assert state_of(console, pair_id) is PairState.REFUSED


def test_a_page_that_was_closed_a_moment_ago_shows_no_pair(console: Consoled) -> None:
    page = console.write("1", "Cellar")
    proposed(console, "How many bicycles?", page.key)
    console.site.readers["1"] = frozenset({"group:people"})
    assert "How many bicycles?" not in console.inside().get("/pairs").text


def test_a_viewer_neither_sees_nor_decides(console: Consoled) -> None:
    page = console.write("1", "Cellar")
    pair_id = proposed(console, "How many bicycles?", page.key)
    viewer = console.inside(ConsoleRole.VIEWER)
    assert viewer.get("/pairs").status_code == 403
    token = form_token(viewer.get("/gaps").text)
    sent = {"form_token": token, "pair": pair_id, "state": "accepted"}
    assert viewer.post("/pairs/decide", data=sent).status_code == 403
    assert console.outside().post("/pairs/decide", data=sent).status_code == 403
    assert state_of(console, pair_id) is PairState.PROPOSED


@pytest.mark.parametrize("form", [{}, {"pair": "made-up"}, {"state": "accepted"}, {"state": "x"}])
def test_a_made_up_form_decides_nothing(console: Consoled, form: dict[str, str]) -> None:
    page = console.write("1", "Cellar")
    pair_id = proposed(console, "How many bicycles?", page.key)
    browser = console.inside()
    token = form_token(browser.get("/pairs").text)
    given = {"form_token": token, "pair": pair_id} | form
    if form == {"state": "accepted"}:
        given["pair"] = ""
    assert browser.post("/pairs/decide", data=given).status_code == 404
    assert state_of(console, pair_id) is PairState.PROPOSED
