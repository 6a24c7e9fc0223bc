"""Own eyes: tokens stay fresh, whoever refreshes at the same time; what is revoked is unlinked."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from linked_site import DANIEL, KEY, MARA, a_site, given, tokens_of
from structlog.testing import capture_logs
from wiki import page

from core.access.http import as_object, ask
from core.access.linked_accounts import Link, LinkedAccounts, Tokens
from core.access.oauth import AtlassianApp
from core.access.token_keys import TokenKeys
from core.access.token_store import TokenStore
from core.errors import SourceRefused, SourceUnreachable
from core.models import Page
from core.page_source import Viewer
from core.settings import Settings
from core.storage.database import Database
from sandbox.confluence.client import Site
from worker.own_eyes import OwnEyes

PRINCIPAL = f"user:{MARA}"
PAGES = [page("1", "Travel policy")]


@dataclass
class Looking:
    """A viewer that asks the site something with the token, as the real one does."""

    site: str
    token: str
    sent: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return len(self.sent)

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        self.sent.append(self.token)
        headers = {"Authorization": f"Bearer {self.token}"}
        as_object(ask("GET", f"{self.site}/api/v2/pages?limit={most}", headers=headers))
        return {each.id: True for each in pages}


def look(link: Link, tokens: Tokens) -> Viewer:
    return Looking(link.site, tokens.access)


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Site]]:
    with a_site() as found:
        yield found


@pytest.fixture
def site(running: tuple[str, Site]) -> Site:
    running[1].reset()
    return running[1]


@pytest.fixture
def app(running: tuple[str, Site], site: Site) -> AtlassianApp:
    return AtlassianApp.of(Settings.model_validate(given(running[0])))


@pytest.fixture
def accounts(database: Database) -> LinkedAccounts:
    return LinkedAccounts(database, TokenStore(database, TokenKeys(KEY)))


@pytest.fixture
def eyes(database: Database, accounts: LinkedAccounts, app: AtlassianApp) -> OwnEyes:
    return OwnEyes(database, accounts, app=app, viewer_of=look)


@pytest.fixture
def tokens(accounts: LinkedAccounts, app: AtlassianApp) -> Tokens:
    return linked(accounts, app, "U1")


def linked(accounts: LinkedAccounts, app: AtlassianApp, user: str, account: str = MARA) -> Tokens:
    tokens = tokens_of(app, account)
    where = app.site(tokens, f"{app.auth_url}/wiki")
    accounts.link("T1", user, app.holder(tokens), site=where, tokens=tokens)
    return tokens


def aged(accounts: LinkedAccounts) -> Link:
    """The link of U1, whose access token is about to expire."""
    (link,) = accounts.of_account(PRINCIPAL)
    tokens = accounts.tokens(link)
    assert tokens is not None
    accounts.renew(link, tokens, tokens.model_copy(update={"expires_at": time.time() + 30}))
    return link


def seen(eyes: OwnEyes) -> dict[str, bool]:
    viewer = eyes(PRINCIPAL)
    assert viewer is not None
    return viewer.visible(PAGES, most=5)


def test_a_linked_account_is_asked_with_its_own_token(eyes: OwnEyes, tokens: Tokens) -> None:
    viewer = eyes(PRINCIPAL)
    assert viewer is not None
    assert viewer.visible(PAGES, most=5) == {"1": True}
    assert viewer.requests == 1


@pytest.mark.usefixtures("tokens")
def test_nobodys_eyes_are_lent_to_another_account(eyes: OwnEyes) -> None:
    assert eyes(f"user:{DANIEL}") is None
    assert eyes("") is None


@pytest.mark.usefixtures("tokens")
def test_a_fresh_token_is_used_as_it_is_by_the_same_viewer(eyes: OwnEyes, site: Site) -> None:
    seen(eyes)
    seen(eyes)
    viewer = eyes(PRINCIPAL)
    assert viewer is not None
    assert viewer.requests == 2
    assert site.oauth()["exchanges"] == 0


def test_a_token_is_refreshed_before_its_end_and_the_new_one_is_kept(
    eyes: OwnEyes, accounts: LinkedAccounts, tokens: Tokens, site: Site
) -> None:
    link = aged(accounts)
    assert seen(eyes) == seen(eyes) == {"1": True}
    kept = accounts.tokens(link)
    assert kept is not None
    assert kept.refresh != tokens.refresh
    assert site.oauth()["exchanges"] == 1


@pytest.mark.usefixtures("tokens")
def test_a_token_that_is_refused_before_its_end_is_refreshed(eyes: OwnEyes, site: Site) -> None:
    site.oauth(expire=True)
    assert seen(eyes) == {"1": True}
    assert site.oauth()["exchanges"] == 1


@pytest.mark.usefixtures("tokens")
def test_processes_that_refresh_at_once_use_the_refresh_token_once(
    accounts: LinkedAccounts, app: AtlassianApp, site: Site, tmp_path: Path
) -> None:
    aged(accounts)
    own = [Database(f"sqlite:///{tmp_path / 'groundwire.db'}") for _ in range(4)]
    at_once, found, wrong = threading.Barrier(len(own)), [], []

    def process(database: Database) -> None:
        mine = LinkedAccounts(database, TokenStore(database, TokenKeys(KEY)))
        eyes = OwnEyes(database, mine, app=app, viewer_of=look)
        at_once.wait()
        try:
            found.append(seen(eyes))
        except Exception as error:  # noqa: BLE001  (told below, where it fails the test)
            wrong.append(error)

    threads = [threading.Thread(target=process, args=(each,)) for each in own]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in own:
        each.close()
    assert (wrong, found) == ([], [{"1": True}] * 4)
    assert site.oauth()["exchanges"] == 1
    assert accounts.of("T1", "U1") == PRINCIPAL


@pytest.mark.usefixtures("tokens")
def test_what_a_person_has_revoked_is_unlinked_and_nobody_sees_with_it(
    eyes: OwnEyes, accounts: LinkedAccounts, site: Site
) -> None:
    site.oauth(revoke=MARA)
    viewer = eyes(PRINCIPAL)
    assert viewer is not None
    with pytest.raises(SourceRefused):
        viewer.visible(PAGES, most=5)
    assert eyes(PRINCIPAL) is None
    assert accounts.of("T1", "U1") == ""
    left = accounts.find("T1", "U1")
    assert left is not None
    assert not left.works


@pytest.mark.usefixtures("tokens")
def test_a_revoked_grant_is_noticed_when_its_token_is_refreshed_too(
    eyes: OwnEyes, accounts: LinkedAccounts, site: Site
) -> None:
    aged(accounts)
    site.oauth(revoke=MARA)
    assert eyes(PRINCIPAL) is None
    assert accounts.of("T1", "U1") == ""


@pytest.mark.usefixtures("tokens")
def test_a_wrong_secret_of_the_operators_costs_nobody_the_link(
    database: Database, accounts: LinkedAccounts, running: tuple[str, Site]
) -> None:
    aged(accounts)
    wrong = AtlassianApp.of(Settings.model_validate(given(running[0], atlassian_client_secret="x")))
    with pytest.raises(SourceRefused):
        OwnEyes(database, accounts, app=wrong, viewer_of=look)(PRINCIPAL)
    assert accounts.of("T1", "U1") == PRINCIPAL


@pytest.mark.usefixtures("tokens")
def test_an_atlassian_that_does_not_answer_costs_nobody_the_link(
    database: Database, accounts: LinkedAccounts, running: tuple[str, Site]
) -> None:
    aged(accounts)
    settings = given(running[0], atlassian_auth_url="http://127.0.0.1:1")
    closed = AtlassianApp.of(Settings.model_validate(settings))
    with pytest.raises(SourceUnreachable):
        OwnEyes(database, accounts, app=closed, viewer_of=look)(PRINCIPAL)
    assert accounts.of("T1", "U1") == PRINCIPAL


@pytest.mark.usefixtures("tokens")
def test_where_two_have_linked_one_account_the_other_link_goes_on(
    eyes: OwnEyes, accounts: LinkedAccounts, app: AtlassianApp
) -> None:
    last = linked(accounts, app, "U2")
    (link, _) = accounts.of_account(PRINCIPAL)
    assert (link.user, accounts.lose(link, last)) == ("U2", True)
    assert seen(eyes) == {"1": True}


def test_a_token_without_an_end_is_given_up_only_when_the_site_does_not_know_it(
    database: Database, accounts: LinkedAccounts, site: Site, running: tuple[str, Site]
) -> None:
    mine = Tokens(access="mine")
    site.give_token(MARA, "mine")
    where = f"{running[0]}/confluence"
    holder = AtlassianApp.of(Settings.model_validate(given(running[0]))).holder
    accounts.link("T1", "U1", holder(mine), site=where, tokens=mine)
    eyes = OwnEyes(database, accounts, app=None, viewer_of=look)  # of a path that is not there
    viewer = eyes(PRINCIPAL)
    assert viewer is not None
    site.fault(path_contains="api/v2/pages", status=403)
    with pytest.raises(SourceRefused):
        viewer.visible(PAGES, most=5)
    assert accounts.of("T1", "U1") == PRINCIPAL
    site.reset()
    with pytest.raises(SourceRefused):
        viewer.visible(PAGES, most=5)
    assert accounts.of("T1", "U1") == ""


def test_no_line_of_the_log_holds_a_token(
    eyes: OwnEyes, accounts: LinkedAccounts, tokens: Tokens, site: Site
) -> None:
    with capture_logs() as said:
        aged(accounts)
        seen(eyes)
        (link,) = accounts.of_account(PRINCIPAL)
        new = accounts.tokens(link)
        site.oauth(revoke=MARA)
        viewer = eyes(PRINCIPAL)
        assert viewer is not None
        with pytest.raises(SourceRefused):
            viewer.visible(PAGES, most=5)
    assert new is not None
    assert [line["event"] for line in said] == ["link.refreshed", "link.lost"]
    for secret in (tokens.access, tokens.refresh, new.access, new.refresh):
        assert secret not in str(said)
