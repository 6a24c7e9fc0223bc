"""What an operator with a linked account sees: what it may read, confirmed, in that session."""

from __future__ import annotations

import pytest
from consoled import Consoled
from starlette.testclient import TestClient
from wiki import page, piece, put

from console.guard import COOKIE
from console.sessions import ConsoleRole
from core.models import Page
from core.policy import acl, people
from core.policy.people import Standing
from core.turns.turn import Turn

ACCOUNT = "user:olga"
FEW = frozenset({frozenset({ACCOUNT})})
OLGA, OTHER = "T1/U9", "T1/U8"


@pytest.fixture
def closed(console: Consoled) -> Page:
    """A page that Olga may read, and nobody else; she has linked her account."""
    written = page("1", "Pay grades")
    with console.database.session() as session:
        acl.save(session, FEW)
    put(console.store, written, piece("Grade 7 is 5,000.", "1"), acl_id=acl.acl_id(FEW))
    console.site.readers["1"] = frozenset({ACCOUNT})
    console.site.may[ACCOUNT] = {"1"}
    console.linked["T1", "U9"] = ACCOUNT
    people.remember(console.database, "T1", "U9", standing=Standing.MEMBER)
    return written


@pytest.fixture
def turn(console: Consoled, closed: Page) -> Turn:
    """A question of a channel, from when everybody could read the page."""
    return console.ask("What is grade 7?", closed)


def signed_in(console: Consoled, who: str, role: ConsoleRole = ConsoleRole.OPERATOR) -> TestClient:
    browser = console.outside()
    browser.cookies.set(COOKIE, console.sessions.open(role, who))
    return browser


def sees_page(browser: TestClient) -> bool:
    return "Grade 7 is 5,000." in browser.get("/pages/confluence/1").text


def sees_answer(browser: TestClient, turn: Turn) -> bool:
    return "What stands on Pay grades." in browser.get(f"/questions/{turn.id}").text


def test_with_a_linked_account_its_pages_are_shown(console: Consoled, turn: Turn) -> None:
    browser = signed_in(console, OLGA)
    assert sees_page(browser)
    assert sees_answer(browser, turn)


def test_nobody_else_sees_them(console: Consoled, turn: Turn) -> None:
    for browser in (console.inside(), signed_in(console, OTHER)):
        assert not sees_page(browser)
        assert not sees_answer(browser, turn)


def test_a_viewer_sees_none_whatever_they_have_linked(console: Consoled, turn: Turn) -> None:
    browser = signed_in(console, OLGA, ConsoleRole.VIEWER)
    assert "Pay grades" not in browser.get("/gaps").text
    assert "Pay grades" not in browser.get("/pages").text


def test_what_the_site_takes_away_is_gone_at_once(console: Consoled, turn: Turn) -> None:
    browser = signed_in(console, OLGA)
    assert sees_answer(browser, turn)
    console.site.may[ACCOUNT] = set()
    assert not sees_page(browser)
    assert not sees_answer(browser, turn)


def test_an_undone_link_shows_nothing_more(console: Consoled, turn: Turn) -> None:
    browser = signed_in(console, OLGA)
    console.linked.clear()
    assert not sees_answer(browser, turn)


def test_a_guest_sees_what_everybody_may(console: Consoled, turn: Turn) -> None:
    people.remember(console.database, "T1", "U9", standing=Standing.GUEST)
    assert not sees_answer(signed_in(console, OLGA), turn)


def test_what_was_asked_in_private_stays_private(console: Consoled, closed: Page) -> None:
    private = console.ask("What is my grade?", closed, private=True, channel="D1")
    browser = signed_in(console, OLGA)
    assert browser.get(f"/questions/{private.id}").status_code == 404
    assert "my grade" not in browser.get("/questions").text
