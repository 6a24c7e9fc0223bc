"""Data Center, and Cloud without an app: a token is pasted on a page of ours, never in Slack."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser import Browser
from linked_site import DANIEL, KEY, MARA, PUBLIC_URL, a_site
from starlette.applications import Starlette
from structlog.testing import capture_logs

from bot.linking.link_pages import Linking, LinkPages
from bot.linking.tickets import Tickets
from core.access.linked_accounts import LinkedAccounts, Tokens
from core.access.sites import LinkBy
from core.access.token_keys import TokenKeys
from core.access.token_store import TokenStore
from core.language.sentences import sentences
from core.policy import people
from core.storage.database import Database
from sandbox.confluence.client import Site
from sandbox.http.server import running as serving

SAY = sentences("en")
MINE = "wombat-7741"
MALLORY = "<b>Mallory</b> & co"
EMAIL = "mara.lindqvist@lumbrook.example"

Start = Callable[[LinkBy], str]


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Site]]:
    with a_site() as found:
        yield found


@pytest.fixture
def site(running: tuple[str, Site]) -> Site:
    running[1].reset()
    running[1].give_token(MARA, MINE)
    return running[1]


@pytest.fixture
def accounts(database: Database) -> LinkedAccounts:
    return LinkedAccounts(database, TokenStore(database, TokenKeys(KEY)))


@pytest.fixture
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def start(
    database: Database, accounts: LinkedAccounts, running: tuple[str, Site], site: Site
) -> Iterator[Start]:
    """Where U1 begins, on a site of either kind."""
    tickets = Tickets(database, TokenKeys(KEY))
    pages = {
        by: LinkPages(
            database,
            accounts,
            linking=Linking(by=by, site=f"{running[0]}{path}", public_url=PUBLIC_URL),
            tickets=tickets,
            person=lambda _team, _user: MALLORY,
        )
        for by, path in ((LinkBy.PERSONAL_TOKEN, "/confluence"), (LinkBy.API_TOKEN, "/wiki"))
    }
    with (
        serving(Starlette(routes=pages[LinkBy.PERSONAL_TOKEN].routes)) as server,
        serving(Starlette(routes=pages[LinkBy.API_TOKEN].routes)) as cloud,
    ):
        where = {LinkBy.PERSONAL_TOKEN: server, LinkBy.API_TOKEN: cloud}
        yield lambda by: f"{where[by]}/link/start?ticket={tickets.start('T1', 'U1')}"


def test_a_personal_token_is_tried_and_says_whose_it_is(
    start: Start, browser: Browser, accounts: LinkedAccounts, running: tuple[str, Site]
) -> None:
    shown = browser.open(start(LinkBy.PERSONAL_TOKEN))
    assert 'name="token" type="password"' in shown.text
    assert 'name="username"' not in shown.text
    done = browser.send(shown, token=f" {MINE} ")
    assert (done.status_code, "Mara Lindqvist" in done.text) == (200, True)
    found = accounts.find("T1", "U1")
    assert found is not None
    assert found.account.startswith("user:key-")
    assert found.site == f"{running[0]}/confluence"
    assert accounts.tokens(found) == Tokens(access=MINE)


def test_on_cloud_an_api_token_comes_with_its_e_mail(
    start: Start, browser: Browser, accounts: LinkedAccounts
) -> None:
    shown = browser.open(start(LinkBy.API_TOKEN))
    assert browser.send(shown, token=MINE).status_code == 400
    assert browser.send(shown, token=MINE, username="ben@lumbrook.example").status_code == 400
    assert browser.send(shown, token=MINE, username=EMAIL).status_code == 200
    found = accounts.find("T1", "U1")
    assert found is not None
    assert found.account == f"user:{MARA}"
    assert accounts.tokens(found) == Tokens(access=MINE, username=EMAIL)


def test_a_token_that_does_not_work_may_be_pasted_again_and_is_not_shown(
    start: Start, browser: Browser, accounts: LinkedAccounts
) -> None:
    shown = browser.open(start(LinkBy.PERSONAL_TOKEN))
    wrong = browser.send(shown, token="numbat-20")
    assert (wrong.status_code, SAY("link-token-refused") in wrong.text) == (400, True)
    assert "numbat" not in wrong.text
    assert accounts.find("T1", "U1") is None
    assert browser.send(wrong, token=MINE).status_code == 200
    again = browser.send(wrong, token=MINE)  # the ticket is used up now
    assert again.status_code == 403


def test_a_site_that_does_not_answer_links_nothing_and_the_page_may_be_sent_again(
    start: Start, browser: Browser, accounts: LinkedAccounts, site: Site
) -> None:
    shown = browser.open(start(LinkBy.PERSONAL_TOKEN))
    site.fault(path_contains="user/current", status=503)
    failed = browser.send(shown, token=MINE)
    assert (failed.status_code, SAY("link-failed") in failed.text) == (502, True)
    assert accounts.find("T1", "U1") is None
    assert browser.send(shown, token=MINE).status_code == 200


def test_a_token_is_sent_to_nobody_else_when_the_site_redirects(
    start: Start, browser: Browser, accounts: LinkedAccounts, site: Site
) -> None:
    site.fault(path_contains="user/current", login_page=True)
    reply = browser.send(browser.open(start(LinkBy.PERSONAL_TOKEN)), token=MINE)
    assert reply.status_code == 502
    assert accounts.find("T1", "U1") is None


def test_another_browser_cannot_send_the_form(
    start: Start, browser: Browser, accounts: LinkedAccounts
) -> None:
    shown = browser.open(start(LinkBy.PERSONAL_TOKEN))
    with Browser() as other:
        assert other.send(shown, token=MINE).status_code == 403
    assert accounts.find("T1", "U1") is None


def test_what_people_call_themselves_is_no_markup(start: Start, browser: Browser) -> None:
    text = browser.open(start(LinkBy.PERSONAL_TOKEN)).text
    assert "&lt;b&gt;Mallory&lt;/b&gt; &amp; co" in text
    assert MALLORY not in text


def test_with_tls_the_cookie_is_of_this_host_alone(
    database: Database, accounts: LinkedAccounts, browser: Browser, running: tuple[str, Site]
) -> None:
    linking = Linking(by=LinkBy.PERSONAL_TOKEN, site=running[0], public_url="https://bot.example")
    tickets = Tickets(database, TokenKeys(KEY))
    pages = LinkPages(
        database, accounts, linking=linking, tickets=tickets, person=lambda _team, user: user
    )
    with serving(Starlette(routes=pages.routes)) as url:
        reply = browser.open(f"{url}/link/start?ticket={tickets.start('T1', 'U1')}")
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith("__Host-groundwire-link=")
    assert {"Secure", "Path=/", "HttpOnly"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


@pytest.mark.parametrize("language", ["", "x" * 500, "de-../../etc", "en-!!,;", "*", "de_DE_x_y_z"])
def test_what_a_browser_says_of_its_language_breaks_nothing(
    start: Start, browser: Browser, language: str
) -> None:
    where = start(LinkBy.PERSONAL_TOKEN).partition("?")[0]
    reply = browser.http.get(where, headers={"Accept-Language": language})
    assert reply.status_code == 403


def test_a_callback_is_nobodys_where_nobody_was_sent_to_atlassian(
    start: Start, browser: Browser
) -> None:
    where = start(LinkBy.PERSONAL_TOKEN).replace("/start?ticket=", "/callback?code=x&state=")
    assert browser.open(where).status_code == 403


def test_it_is_said_in_the_language_that_the_person_has_in_slack(
    start: Start, browser: Browser, database: Database
) -> None:
    people.remember_locale(database, "T1", "U1", "de-DE")
    text = browser.open(start(LinkBy.PERSONAL_TOKEN)).text
    assert sentences("de")("link-go-on") in text
    assert '<html lang="de">' in text


def test_a_second_person_of_the_same_browser_is_linked_for_themselves(
    start: Start, browser: Browser, accounts: LinkedAccounts, database: Database, site: Site
) -> None:
    browser.send(browser.open(start(LinkBy.PERSONAL_TOKEN)), token=MINE)
    site.give_token(DANIEL, "numbat-20")
    ticket = Tickets(database, TokenKeys(KEY)).start("T1", "U2")
    where = start(LinkBy.PERSONAL_TOKEN).partition("?")[0]
    browser.send(browser.open(f"{where}?ticket={ticket}"), token="numbat-20")
    first, second = accounts.find("T1", "U1"), accounts.find("T1", "U2")
    assert first is not None
    assert second is not None
    assert first.account != second.account


def test_the_log_says_who_and_no_token(start: Start, browser: Browser) -> None:
    with capture_logs() as said:
        shown = browser.open(start(LinkBy.PERSONAL_TOKEN))
        browser.send(shown, token="numbat-20")
        browser.send(shown, token=MINE)
    assert [(line["event"], line["user"]) for line in said] == [("link.made", "U1")]
    assert MINE not in str(said)
