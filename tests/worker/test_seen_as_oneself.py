"""As oneself: what each of the three kinds of tokens sees on a site, as the site is now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from linked_site import DANIEL, MARA, a_site, given, tokens_of

from core.access import own_tokens
from core.access.authorizer import Authorizer
from core.access.linked_accounts import Tokens
from core.access.oauth import AtlassianApp
from core.access.policy import Policy
from core.access.sites import linked_accounts
from core.access.verdicts import Freshness
from core.confluence import connect
from core.errors import SourceRefused
from core.models import Page
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import Reader
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import PageRow
from sandbox.confluence.app import ACCESS_TOKEN, TOKEN, USERNAME
from sandbox.confluence.client import Site
from worker.own_eyes import own_eyes

MINE = "wombat-7741"
MAIL = "mara.lindqvist@lumbrook.example"
KINDS = ("consent", "api token", "personal token")


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Site]]:
    with a_site() as found:
        yield found


@pytest.fixture
def site(running: tuple[str, Site]) -> Site:
    running[1].reset()
    return running[1]


def settings(url: str, kind: str) -> Settings:
    more = {"confluence_token": TOKEN, "confluence_username": USERNAME, "confluence_spaces": "*"}
    if kind == "api token":
        more |= {"atlassian_client_id": ""}
    if kind == "personal token":
        more |= {"confluence_url": f"{url}/confluence", "confluence_flavor": "datacenter"}
        more |= {"confluence_username": "", "confluence_token": ACCESS_TOKEN}
    return Settings.model_validate(given(url) | more)


def linked(chosen: Settings, database: Database, site: Site, kind: str) -> tuple[str, str]:
    """Mara in Slack has linked her account; its principal, and a token that works."""
    accounts = linked_accounts(chosen, database)
    assert accounts is not None
    if kind == "consent":
        app = AtlassianApp.of(chosen)
        tokens = tokens_of(app, MARA)
        where, holder = app.site(tokens, chosen.confluence_url or ""), app.holder(tokens)
    else:
        site.give_token(MARA, MINE)
        tokens = Tokens(access=MINE, username=MAIL if kind == "api token" else "")
        where = chosen.confluence_url or ""
        holder = own_tokens.holder(where, tokens)
    accounts.link("T1", "U1", holder, site=where, tokens=tokens)
    return holder.account, tokens.access


def a_page(site: Site) -> Page:
    made = site.create("HR", "Wage rounds", "<p>Two per cent.</p>")
    return Page(id=str(made["id"]), space="HR", title="Wage rounds", url="", version=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_linked_account_sees_what_its_owner_may_see_now(
    database: Database, running: tuple[str, Site], site: Site, kind: str
) -> None:
    chosen = settings(running[0], kind)
    account, _ = linked(chosen, database, site, kind)
    page = a_page(site)
    viewer = own_eyes(chosen, database)(account)
    assert viewer is not None
    site.restrict(page.id, users=[MARA])
    assert viewer.visible([page], most=5) == {page.id: True}
    site.restrict(page.id, users=[DANIEL])
    assert viewer.visible([page], most=5) == {page.id: False}


@pytest.mark.parametrize("kind", KINDS)
def test_the_authorizer_asks_with_ones_own_eyes_and_with_nobody_elses(
    database: Database, running: tuple[str, Site], site: Site, kind: str
) -> None:
    chosen = settings(running[0], kind)
    account, _ = linked(chosen, database, site, kind)
    page = a_page(site)
    with database.session() as session:
        session.add(PageRow(id=page.id, space="HR", record=page.model_dump(mode="json")))
    authorizer = Authorizer(
        database,
        {CONFLUENCE: connect(chosen)},
        lambda: Policy(aware=True),
        freshness=Freshness(valid_s=0.001),
        own_eyes=own_eyes(chosen, database),
    )
    key, reader = PageKey(CONFLUENCE, page.id), Reader(frozenset(), account)
    site.restrict(page.id, users=[MARA])
    assert authorizer.check([key], reader).allowed == {key}
    site.restrict(page.id, users=[DANIEL])
    assert authorizer.check([key], reader).allowed == set()
    asked = [each["path"] for each in site.received()]
    assert [path for path in asked if "permission" in path or "memberof" in path] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_that_the_site_does_not_know_any_more_is_given_up(
    database: Database, running: tuple[str, Site], site: Site, kind: str
) -> None:
    chosen = settings(running[0], kind)
    account, token = linked(chosen, database, site, kind)
    page, eyes = a_page(site), own_eyes(chosen, database)
    viewer, accounts = eyes(account), linked_accounts(chosen, database)
    assert viewer is not None
    assert accounts is not None
    assert accounts.of("T1", "U1") == account
    site.oauth(revoke=MARA)
    site.revoke_token(token)
    with pytest.raises(SourceRefused):
        viewer.visible([page], most=5)
    assert eyes(account) is None
    assert accounts.of("T1", "U1") == ""


def test_where_nobody_can_link_an_account_there_are_nobodys_eyes(database: Database) -> None:
    assert own_eyes(Settings(), database)("user:1") is None
