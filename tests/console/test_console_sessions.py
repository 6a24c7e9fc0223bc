"""Who comes in, and for how long: links, sessions, roles, forms, hosts."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from consoled import URL, Consoled, form_token
from pydantic import SecretStr
from starlette.routing import Route
from starlette.testclient import TestClient

from console.app import build
from console.rendering import HEADERS
from console.sessions import IDLE_S, LINK_S, LONGEST_S, ConsoleRole

ROOMS = ("/", "/questions", "/gaps", "/pages", "/sync", "/cost", "/pairs", "/settings")
OF_OPERATORS = ("/questions", "/questions/x", "/questions/x/why.png", "/pages/a/1", "/settings")


def paths(console: Consoled) -> list[Route]:
    found = [each for each in console.app.routes if isinstance(each, Route)]
    return [each for each in found if each.path != "/in"]


def test_without_a_session_every_room_is_closed(console: Consoled) -> None:
    console.ask("Who is on call?")
    browser = console.outside()
    for route in paths(console):
        path = route.path.replace("{turn}", "x").replace("{source}", "a").replace("{page}", "1")
        method = "POST" if "POST" in (route.methods or ()) else "GET"
        shown = browser.request(method, path)
        assert shown.status_code == 403, path
        assert "on call" not in shown.text
        assert "opens with a link" in shown.text


def test_a_link_works_once_and_leaves_the_address(console: Consoled) -> None:
    link = console.sessions.link(ConsoleRole.OPERATOR)
    first = console.outside().get(f"/in?link={link}")
    assert (first.status_code, str(first.url)) == (200, f"{URL}/")
    assert console.outside().get(f"/in?link={link}").status_code == 403


def test_a_link_that_nobody_used_in_time_is_no_link(console: Consoled) -> None:
    link = console.sessions.link(ConsoleRole.OPERATOR)
    console.clock.now += LINK_S
    assert console.outside().get(f"/in?link={link}").status_code == 403


@pytest.mark.parametrize("made_up", ["", "x", "é" * 40, "' OR 1=1 --"])
def test_what_is_no_link_lets_nobody_in(console: Consoled, made_up: str) -> None:
    browser = console.outside()
    assert browser.get("/in", params={"link": made_up}).status_code == 403
    assert browser.get("/").status_code == 403


def test_a_session_in_which_nothing_happens_ends(console: Consoled) -> None:
    browser = console.inside()
    console.clock.now += IDLE_S - 1
    assert browser.get("/").status_code == 200
    console.clock.now += IDLE_S
    assert browser.get("/").status_code == 403


def test_any_session_ends_after_a_day_of_work(console: Consoled) -> None:
    browser, began = console.inside(), console.clock.now
    while console.clock.now + IDLE_S - 1 < began + LONGEST_S:
        console.clock.now += IDLE_S - 1
        assert browser.get("/").status_code == 200
    console.clock.now = began + LONGEST_S
    assert browser.get("/").status_code == 403


def test_who_signs_out_is_out(console: Consoled) -> None:
    browser = console.inside()
    kept = dict(browser.cookies)
    token = form_token(browser.get("/").text)
    assert browser.post("/out", data={"form_token": token}).status_code == 200
    again = console.outside()
    again.cookies.update(kept)
    assert again.get("/").status_code == 403


@pytest.mark.parametrize("path", OF_OPERATORS)
def test_a_viewer_sees_numbers_and_no_single_answer(console: Consoled, path: str) -> None:
    browser = console.inside(ConsoleRole.VIEWER)
    assert browser.get(path).status_code == 403
    assert console.inside().get(path).status_code in (200, 404)


def test_a_viewer_is_shown_no_way_to_rooms_that_are_closed(console: Consoled) -> None:
    shown = console.inside(ConsoleRole.VIEWER).get("/").text
    assert 'href="/gaps"' in shown
    assert 'href="/questions"' not in shown
    assert 'href="/settings"' not in shown


@pytest.mark.parametrize("form", [{}, {"form_token": ""}, {"form_token": "made up"}])
def test_a_form_without_the_sessions_token_does_nothing(
    console: Consoled, form: dict[str, str]
) -> None:
    browser = console.inside()
    assert browser.post("/out", data=form).status_code == 403
    assert browser.get("/").status_code == 200


def test_the_token_of_another_session_does_nothing(console: Consoled) -> None:
    token = form_token(console.inside().get("/").text)
    browser = console.inside()
    assert browser.post("/out", data={"form_token": token}).status_code == 403


def test_a_form_that_comes_from_another_site_does_nothing(console: Consoled) -> None:
    browser = console.inside()
    token = form_token(browser.get("/").text)
    for origin in ("https://evil.example", "http://127.0.0.1:9999", "null"):
        sent = browser.post("/out", data={"form_token": token}, headers={"origin": origin})
        assert sent.status_code == 403
    assert browser.post("/out", data={"form_token": token}, headers={"origin": URL}).is_success


def test_a_form_that_is_too_long_does_nothing(console: Consoled) -> None:
    browser = console.inside()
    token = form_token(browser.get("/").text)
    sent = browser.post("/out", data={"form_token": token, "more": "x" * 30_000})
    assert sent.status_code == 403


def test_another_name_of_this_machine_is_another_site(console: Consoled) -> None:
    """DNS rebinding: a page of evil.example whose name leads to 127.0.0.1 by now."""
    browser = console.inside()
    assert browser.get("/", headers={"host": "evil.example:8600"}).status_code == 400
    assert browser.get("/", headers={"host": "localhost:8600"}).status_code == 200


@pytest.mark.parametrize("path", [*ROOMS, "/charts/questions.svg", "/charts/cost.svg"])
def test_a_page_loads_nothing_from_elsewhere_and_is_kept_nowhere(
    console: Consoled, path: str
) -> None:
    shown = console.inside().get(path)
    assert {name: shown.headers[name] for name in HEADERS} == HEADERS
    assert "<script" not in shown.text
    if not path.startswith("/charts"):
        assert " style=" not in shown.text
        addresses = re.findall(r'\b(?:src|srcset|href|action)="([^"]*)"', shown.text)
        assert addresses
        assert all(re.match(r"/(?!/)|#", address) for address in addresses)


def test_a_browser_may_say_where_its_forms_come_from(console: Consoled) -> None:
    """Under `no-referrer` Chromium sends `Origin: null`, which we refuse as another site's."""
    assert console.inside().get("/").headers["referrer-policy"] == "same-origin"


def test_the_cookie_is_for_this_site_alone_and_for_no_script(console: Consoled) -> None:
    link = console.sessions.link(ConsoleRole.OPERATOR)
    answer = console.outside().get(f"/in?link={link}", follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_no_secret_can_be_read_out_of_the_sessions(console: Consoled) -> None:
    link = console.sessions.link(ConsoleRole.OPERATOR)
    session = console.sessions.enter(link)
    assert session
    assert link not in repr(vars(console.sessions))
    assert session not in repr(vars(console.sessions))


def test_whoever_only_looks_whether_a_link_is_there_uses_none_up(console: Consoled) -> None:
    link = console.sessions.link(ConsoleRole.OPERATOR)
    console.outside().head(f"/in?link={link}")
    assert console.sessions.enter(link) is not None


@pytest.mark.parametrize(
    "url", ["https://wiki.example.com", "https://Wiki.Example.com", "https://wiki.example.com:443"]
)
def test_a_cookie_of_an_encrypted_site_is_for_encrypted_connections_alone(
    console: Consoled, url: str
) -> None:
    signing_in = {
        "console_client_id": "1",
        "console_client_secret": SecretStr("2"),
        "console_operators": "T0AB12CD/U0EF34GH",
    }
    settings = console.settings.model_copy(update={"console_url": url, **signing_in})
    app = build(replace(console.parts, settings=settings), console.sessions)
    browser = TestClient(app, "https://wiki.example.com", follow_redirects=False)
    came_in = browser.get(f"/in?link={console.sessions.link(ConsoleRole.OPERATOR)}")
    assert "secure" in came_in.headers["set-cookie"].lower()
