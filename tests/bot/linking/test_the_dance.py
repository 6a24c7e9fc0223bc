"""From the button in Home to a linked account and back, with a bot, a Slack and an Atlassian."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from browser import Browser
from cryptography.fernet import Fernet
from desk import Desk
from linked_site import DANIEL, KEY, MARA, a_site, consent, given
from sqlmodel import delete

from bot.linking.link_pages import MOST_BYTES
from bot.linking.tickets import VALID_S, LinkStep, Ticket
from bot.views.linking import LINK_ACTION, UNLINK_ACTION
from core.access.linked_accounts import LinkedAccounts
from core.access.token_keys import TokenKeys
from core.access.token_store import TokenStore
from core.language.sentences import sentences
from core.storage.access_tables import LinkedAccountRow, TokenRow
from core.storage.people_tables import PersonRow
from sandbox.confluence.client import Site
from sandbox.programs.processes import free_port
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")
ALICE, BEN = "U0ALICE", "U0BEN"


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Site]]:
    with a_site() as found:
        yield found


@pytest.fixture(scope="module")
def more_settings(running: tuple[str, Site]) -> dict[str, str]:
    port = free_port()
    chosen = given(running[0], public_url=f"http://127.0.0.1:{port}", link_port=str(port))
    return {name.upper(): value for name, value in chosen.items()}


@pytest.fixture
def site(running: tuple[str, Site]) -> Site:
    running[1].reset()
    return running[1]


@pytest.fixture
def desk(desk: Desk, site: Site) -> Desk:
    with desk.database.session() as session:
        for table in (LinkedAccountRow, TokenRow, PersonRow):
            session.exec(delete(table))
    return desk


@pytest.fixture
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


def accounts(desk: Desk) -> LinkedAccounts:
    return LinkedAccounts(desk.database, TokenStore(desk.database, TokenKeys(KEY)))


def home(desk: Desk, who: str = "alice", user: str = ALICE) -> dict[str, Any]:
    desk.workspace.open_home(who)
    desk.settle()
    view = desk.workspace.home(user)
    assert view is not None
    return view


def link_url(view: dict[str, Any]) -> str:
    (url,) = [
        each["url"]
        for block in view["blocks"]
        for each in block.get("elements", ())
        if each.get("action_id") == LINK_ACTION
    ]
    return str(url)


def asked_by_atlassian(desk: Desk, browser: Browser) -> str:
    """The address to which alice's browser is sent after she has gone on."""
    reply = browser.send(browser.open(link_url(home(desk))))
    assert reply.status_code == 303, reply.text
    return reply.headers["location"]


def linked(desk: Desk, browser: Browser, account: str = MARA) -> httpx.Response:
    return browser.open(consent(asked_by_atlassian(desk, browser), account))


def folder_of(desk: Desk) -> Path:
    return Path(urlsplit(desk.database.url).path).parent


def test_somebody_links_an_account_in_home_and_unlinks_it_there(
    desk: Desk, browser: Browser
) -> None:
    before = home(desk)
    assert SAY("link-about") in str(before)
    started = browser.open(link_url(before))
    assert "Alice" in started.text
    assert started.status_code == 200
    asked = browser.send(started)
    done = browser.open(consent(asked.headers["location"], MARA))
    assert (done.status_code, "Mara Lindqvist" in done.text) == (200, True)
    assert accounts(desk).of(TEAM_ID, ALICE) == f"user:{MARA}"

    after = home(desk)
    assert "Linked as *Mara Lindqvist*" in str(after)
    desk.workspace.press("alice", after["id"], UNLINK_ACTION)
    desk.settle()
    assert SAY("link-about") in str(desk.workspace.home(ALICE))
    assert accounts(desk).find(TEAM_ID, ALICE) is None


def test_the_button_is_acknowledged_although_it_opens_an_address(desk: Desk) -> None:
    desk.workspace.press("alice", home(desk)["id"], LINK_ACTION)
    desk.settle()


def test_a_link_that_was_revoked_at_atlassian_is_told_in_home(desk: Desk, browser: Browser) -> None:
    linked(desk, browser)
    known = accounts(desk)
    found = known.find(TEAM_ID, ALICE)
    assert found is not None
    tokens = known.tokens(found)
    assert tokens is not None
    known.lose(found, tokens)
    view = home(desk)
    assert SAY("link-lost") in str(view)
    assert linked(desk, browser).status_code == 200
    assert "Linked as *Mara Lindqvist*" in str(home(desk))


def test_whoever_links_again_reads_with_the_new_account(desk: Desk, browser: Browser) -> None:
    linked(desk, browser)
    known = accounts(desk)
    known.unlink(TEAM_ID, ALICE)
    linked(desk, browser, DANIEL)
    assert known.of(TEAM_ID, ALICE) == f"user:{DANIEL}"


def test_guests_are_not_offered_what_they_would_not_get(desk: Desk) -> None:
    assert SAY("link-title") in str(home(desk))
    assert SAY("link-title") not in str(home(desk, "greta", "U0GRETA"))


def test_a_state_works_once(desk: Desk, browser: Browser) -> None:
    asked = asked_by_atlassian(desk, browser)
    back = consent(asked, MARA)
    assert browser.open(back).status_code == 200
    again = consent(asked, DANIEL)  # the same state with another code
    assert browser.open(again).status_code == 403
    assert browser.open(back).status_code == 403
    assert accounts(desk).of(TEAM_ID, ALICE) == f"user:{MARA}"


def test_a_state_is_worth_nothing_in_another_browser(desk: Desk, browser: Browser) -> None:
    """Else somebody could make another person's browser link the attacker's account."""
    back = consent(asked_by_atlassian(desk, browser), DANIEL)
    with Browser() as other:
        assert other.open(back).status_code == 403
        other.open(link_url(home(desk, "ben", BEN)))  # one with a cookie of its own
        assert other.open(back).status_code == 403
    assert accounts(desk).of(TEAM_ID, ALICE) == ""
    assert browser.open(back).status_code == 200


def test_a_form_is_worth_nothing_in_another_browser_and_once_it_was_sent(
    desk: Desk, browser: Browser
) -> None:
    shown = browser.open(link_url(home(desk)))
    with Browser() as other:
        assert other.send(shown).status_code == 403
    assert browser.send(shown).status_code == 303
    assert browser.send(shown).status_code == 403


def test_a_ticket_of_home_begins_nothing_after_it_was_used(desk: Desk, browser: Browser) -> None:
    url = link_url(home(desk))
    assert browser.open(url).status_code == 200
    assert browser.send(browser.open(url)).status_code == 303
    assert browser.open(url).status_code == 403


@pytest.mark.parametrize("age", [VALID_S + 5, -3600])
def test_a_ticket_that_is_too_old_or_of_the_future_is_refused(
    desk: Desk, browser: Browser, more_settings: dict[str, str], age: int
) -> None:
    ticket = Ticket(step=LinkStep.START, team=TEAM_ID, user=ALICE, id="x")
    made = int(time.time()) - age
    sealed = Fernet(KEY).encrypt_at_time(ticket.model_dump_json().encode(), made).decode()
    where = more_settings["PUBLIC_URL"]
    reply = browser.http.get(f"{where}/link/start", params={"ticket": sealed})
    assert (reply.status_code, SAY("link-expired") in reply.text) == (403, True)
    assert home(desk)


def test_no_ticket_is_good_for_another_step(
    desk: Desk, browser: Browser, more_settings: dict[str, str]
) -> None:
    where = more_settings["PUBLIC_URL"]
    url = link_url(home(desk))
    ticket = parse_qs(urlsplit(url).query)["ticket"][0]
    state = parse_qs(urlsplit(asked_by_atlassian(desk, browser)).query)["state"][0]
    callback = f"{where}/link/callback"
    for wrong in (
        browser.http.get(callback, params={"state": ticket, "code": "x"}),
        browser.http.get(callback, params={"code": "x"}),
        browser.http.post(f"{where}/link/start", data={"form": ticket}),
        browser.http.post(f"{where}/link/start", data={"form": state}),
        browser.http.get(f"{where}/link/start", params={"ticket": state}),
        browser.http.get(f"{where}/link/start", params={"ticket": "forged"}),
        browser.http.get(f"{where}/link/start"),
    ):
        assert wrong.status_code == 403


def test_nothing_is_linked_for_another_site(desk: Desk, browser: Browser, site: Site) -> None:
    site.oauth(site="https://another.atlassian.net")
    reply = linked(desk, browser)
    assert reply.status_code == 403
    assert "Nothing was linked: what you have allowed is not for" in reply.text
    assert accounts(desk).find(TEAM_ID, ALICE) is None


def test_nothing_is_linked_for_somebody_who_cancels(desk: Desk, browser: Browser) -> None:
    reply = linked(desk, browser, account="")
    assert (reply.status_code, SAY("link-not-allowed") in reply.text) == (403, True)
    assert accounts(desk).find(TEAM_ID, ALICE) is None


def test_a_code_of_nobody_links_nothing(desk: Desk, browser: Browser) -> None:
    state = parse_qs(urlsplit(asked_by_atlassian(desk, browser)).query)["state"][0]
    start = home(desk)
    where = httpx.URL(link_url(start)).copy_with(path="/link/callback", query=None)
    reply = browser.http.get(where, params={"state": state, "code": "made-up"})
    assert (reply.status_code, SAY("link-failed") in reply.text) == (502, True)
    assert accounts(desk).find(TEAM_ID, ALICE) is None


def test_a_form_without_end_is_not_read_to_its_end(
    browser: Browser, more_settings: dict[str, str]
) -> None:
    body = "form=" + "x" * MOST_BYTES
    reply = browser.http.post(f"{more_settings['PUBLIC_URL']}/link/start", content=body)
    assert reply.status_code == 413


def test_pages_are_neither_kept_nor_framed_nor_told_of_to_others(
    desk: Desk, browser: Browser, running: tuple[str, Site]
) -> None:
    shown = browser.open(link_url(home(desk)))
    refused = browser.open(f"{str(shown.url).partition('?')[0]}?ticket=forged")
    gone_on = browser.send(shown)
    for reply in (shown, refused, gone_on):
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["referrer-policy"] == "no-referrer"
    for reply in (shown, refused):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
    # Browsers count where the form is redirected to as a part of the form.
    assert f"form-action 'self' {running[0]};" in shown.headers["content-security-policy"]
    cookie = shown.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_whoever_comes_without_a_ticket_is_spoken_to_as_the_browser_asks(
    browser: Browser, more_settings: dict[str, str]
) -> None:
    german = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.8"}
    reply = browser.http.get(f"{more_settings['PUBLIC_URL']}/link/start", headers=german)
    assert sentences("de")("link-expired") in reply.text


def test_no_token_is_in_a_log_a_file_a_queue_or_slack(desk: Desk, browser: Browser) -> None:
    asked = asked_by_atlassian(desk, browser)
    back = consent(asked, MARA)
    browser.open(back)
    known = accounts(desk)
    found = known.find(TEAM_ID, ALICE)
    assert found is not None
    tokens = known.tokens(found)
    assert tokens is not None
    code = parse_qs(urlsplit(back).query)["code"][0]
    secrets = (tokens.access, tokens.refresh, code, "sandbox-client-secret", KEY)
    files = [file for file in folder_of(desk).rglob("*") if file.is_file()]
    assert any(file.name == "groundwire.db" for file in files)
    written = b"".join(file.read_bytes() for file in files)
    queues = [key for key in desk.redis.keys("*") if desk.redis.type(key) == b"list"]
    queued = str([desk.redis.lrange(key, 0, -1) for key in queues]).encode()
    said = "".join(str(call.arguments) for call in desk.workspace.received()).encode()
    assert b"link.made" in written
    for secret in secrets:
        assert secret.encode() not in written + queued + said
