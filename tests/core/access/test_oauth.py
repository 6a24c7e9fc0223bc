"""OAuth 2.0 with the stand-in for Atlassian: what is granted, what is refused, what is not told."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx
import pytest
from linked_site import DANIEL, MARA, PUBLIC_URL, a_site, consent, given, tokens_of

from core.access import own_tokens
from core.access.linked_accounts import Holder, Tokens
from core.access.oauth import SCOPES, AtlassianApp
from core.errors import (
    GrantRefused,
    SourceNotUnderstood,
    SourceRefused,
    SourceUnreachable,
)
from core.settings import Settings
from sandbox.confluence.client import Site
from sandbox.confluence.oauth import GATEWAY

MINE = "wombat-7741"


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Site]]:
    with a_site() as found:
        yield found


@pytest.fixture
def url(running: tuple[str, Site]) -> str:
    running[1].reset()
    return running[0]


@pytest.fixture
def site(running: tuple[str, Site]) -> Site:
    return running[1]


@pytest.fixture
def app(url: str) -> AtlassianApp:
    return AtlassianApp.of(Settings.model_validate(given(url)))


def test_people_are_asked_for_what_we_need_and_sent_back_to_us(app: AtlassianApp) -> None:
    asked = httpx.URL(app.consent_url("the state")).params
    assert dict(asked) == {
        "audience": "api.atlassian.com",
        "client_id": app.client_id,
        "scope": " ".join(SCOPES),
        "redirect_uri": f"{PUBLIC_URL}/link/callback",
        "state": "the state",
        "response_type": "code",
        "prompt": "consent",
    }
    assert "offline_access" in SCOPES


def test_a_code_brings_tokens_that_say_whose_they_are_and_for_which_site(
    app: AtlassianApp, url: str
) -> None:
    tokens = tokens_of(app, MARA)
    assert app.holder(tokens) == Holder(f"user:{MARA}", "Mara Lindqvist")
    assert app.site(tokens, f"{url}/wiki") == f"{url}{GATEWAY}/wiki"
    assert 3500 < tokens.expires_at - time.time() <= 3600


def test_the_site_is_found_by_its_id_where_the_settings_name_the_gateway(
    app: AtlassianApp, url: str
) -> None:
    tokens = tokens_of(app, MARA)
    assert app.site(tokens, f"https://api.atlassian.com{GATEWAY}/wiki")


def test_tokens_for_another_site_are_refused(app: AtlassianApp, site: Site, url: str) -> None:
    site.oauth(site="https://another.atlassian.net")
    with pytest.raises(SourceRefused, match="another site"):
        app.site(tokens_of(app, MARA), f"{url}/wiki")


def test_a_code_works_once(app: AtlassianApp) -> None:
    code = httpx.URL(consent(app.consent_url("s"), MARA)).params["code"]
    app.exchange(code)
    with pytest.raises(GrantRefused):
        app.exchange(code)


def test_a_refresh_token_works_once_and_its_second_use_ends_the_grant(app: AtlassianApp) -> None:
    old = tokens_of(app, MARA)
    new = app.refresh(old)
    assert {new.access, new.refresh}.isdisjoint({old.access, old.refresh})
    with pytest.raises(GrantRefused):
        app.refresh(old)
    with pytest.raises(GrantRefused):
        app.refresh(new)
    with pytest.raises(SourceRefused):
        app.holder(new)


def test_a_revoked_grant_is_known_from_a_wrong_secret(
    app: AtlassianApp, site: Site, url: str
) -> None:
    tokens = tokens_of(app, MARA)
    wrong = AtlassianApp.of(Settings.model_validate(given(url, atlassian_client_secret="wrong")))
    with pytest.raises(SourceRefused) as refused:
        wrong.refresh(tokens)
    assert not isinstance(refused.value, GrantRefused)
    site.oauth(revoke=MARA)
    with pytest.raises(GrantRefused):
        app.refresh(tokens)


def test_no_error_tells_a_token_a_code_or_the_secret(app: AtlassianApp, url: str) -> None:
    closed = Settings.model_validate(
        given(url, atlassian_auth_url="http://127.0.0.1:1", atlassian_api_url=f"{url}/wiki")
    )
    tokens, nobody = Tokens(access=MINE, refresh=MINE), AtlassianApp.of(closed)
    said = []
    for ask, kind in (
        (lambda: app.exchange(MINE), GrantRefused),
        (lambda: app.refresh(tokens), GrantRefused),
        (lambda: app.holder(tokens), SourceRefused),
        (lambda: nobody.refresh(tokens), SourceUnreachable),
        (lambda: nobody.holder(tokens), SourceNotUnderstood),  # 404, for people
    ):
        with pytest.raises(kind) as refused:
            ask()
        cause = refused.value.__cause__
        said.append(f"{refused.value!r} {cause!r}")
    told = "\n".join(said)
    assert MINE not in told
    assert app.client_secret not in f"{told} {app!r}"


@pytest.mark.parametrize(
    ("path", "account"), [("/wiki", f"user:{MARA}"), ("/confluence", "user:key-")]
)
def test_a_token_that_somebody_has_made_says_whose_it_is(
    url: str, site: Site, path: str, account: str
) -> None:
    site.give_token(MARA, MINE)
    username = "mara.lindqvist@lumbrook.example" if path == "/wiki" else ""
    found = own_tokens.holder(f"{url}{path}", Tokens(access=MINE, username=username))
    assert found.account.startswith(account)
    assert found.name == "Mara Lindqvist"


@pytest.mark.parametrize("username", ["", "daniel.okoye@lumbrook.example"])
def test_a_token_of_nobody_or_of_somebody_else_is_refused(
    url: str, site: Site, username: str
) -> None:
    site.give_token(MARA, MINE)
    with pytest.raises(GrantRefused):
        own_tokens.holder(f"{url}/confluence", Tokens(access="nobodys", username=username))
    if username:
        with pytest.raises(GrantRefused):
            own_tokens.holder(f"{url}/wiki", Tokens(access=MINE, username=username))


def test_tokens_of_two_people_are_not_mixed_up(app: AtlassianApp) -> None:
    mara, daniel = tokens_of(app, MARA), tokens_of(app, DANIEL)
    assert app.holder(app.refresh(daniel)).account == f"user:{DANIEL}"
    assert app.holder(mara).account == f"user:{MARA}"
