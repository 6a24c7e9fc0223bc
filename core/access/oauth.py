"""OAuth 2.0 of Confluence Cloud: a code becomes tokens, they are refreshed, and say whose they are.

Atlassian's three-legged OAuth: developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/, and
developer.atlassian.com/cloud/oauth/getting-started/refresh-tokens/ for refresh tokens, each of
which works once. Its page names no PKCE for these apps, which have a secret, so there is none.
Not in core.confluence, which loads Atlassian's library: the bot has to stay small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import requests

from core.access.http import as_json, as_object, ask
from core.access.linked_accounts import Holder, Tokens
from core.errors import GrantRefused, SourceNotUnderstood, SourceRefused
from core.settings import Settings
from core.storage import clock

CALLBACK = "/link/callback"  # under PUBLIC_URL; the app at Atlassian has to know it
# `api/v2/pages` and `api/v2/blogposts` with ids take the first two; `/me` the third; the last one
# brings a refresh token. developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/
SCOPES = ("read:page:confluence", "read:blogpost:confluence", "read:me", "offline_access")
# What the token endpoint says when a refresh token or a code does not count any more. Of every
# other refusal, such as a wrong secret of the operator's, people must not lose their links.
ENDED = "invalid_grant"


@dataclass(frozen=True)
class AtlassianApp:
    """The operator's app at Atlassian, with which people let us read as them."""

    client_id: str
    client_secret: str = field(repr=False)
    auth_url: str
    api_url: str
    public_url: str

    @staticmethod
    def of(chosen: Settings) -> AtlassianApp:
        chosen.require("atlassian_client_id", "atlassian_client_secret", "public_url")
        assert chosen.atlassian_client_secret
        return AtlassianApp(
            client_id=chosen.atlassian_client_id,
            client_secret=chosen.atlassian_client_secret.get_secret_value(),
            auth_url=chosen.atlassian_auth_url.rstrip("/"),
            api_url=chosen.atlassian_api_url.rstrip("/"),
            public_url=chosen.public_url.rstrip("/"),
        )

    def consent_url(self, state: str) -> str:
        """Where Atlassian asks a person whether we may read as them."""
        asked = {
            "audience": "api.atlassian.com",
            "client_id": self.client_id,
            "scope": " ".join(SCOPES),
            "redirect_uri": self._callback,
            "state": state,
            "response_type": "code",
            "prompt": "consent",
        }
        return f"{self.auth_url}/authorize?{urlencode(asked)}"

    def exchange(self, code: str) -> Tokens:
        """The tokens for a code.

        Raises:
            GrantRefused: the code is not, or no longer, worth anything.
            SourceError: Atlassian does not answer, or not as promised.
        """
        return self._granted(
            grant_type="authorization_code", code=code, redirect_uri=self._callback
        )

    def refresh(self, tokens: Tokens) -> Tokens:
        """New tokens for old ones, whose refresh token is dead from now on.

        Raises:
            GrantRefused: the person has revoked it, or it was not used for too long.
            SourceError: Atlassian does not answer, or not as promised.
        """
        return self._granted(grant_type="refresh_token", refresh_token=tokens.refresh)

    def site(self, tokens: Tokens, confluence_url: str) -> str:
        """The address of the API for the site of CONFLUENCE_URL.

        Raises:
            SourceRefused: the person has not let us read that site.
        """
        found = as_json(self._ask("/oauth/token/accessible-resources", tokens))
        if not isinstance(found, list):
            raise SourceNotUnderstood("Atlassian did not say which sites these tokens are for")
        for each in found:
            if isinstance(each, dict) and _is_of(each, confluence_url):
                return f"{self.api_url}/ex/confluence/{each['id']}/wiki"
        raise SourceRefused("these tokens are for another site than that of CONFLUENCE_URL")

    def holder(self, tokens: Tokens) -> Holder:
        """developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/, "User identity API"."""
        me = as_object(self._ask("/me", tokens))
        if not me.get("account_id"):
            raise SourceNotUnderstood("Atlassian did not say whose tokens these are")
        return Holder(f"user:{me['account_id']}", str(me.get("name") or ""))

    @property
    def _callback(self) -> str:
        return f"{self.public_url}{CALLBACK}"

    def _ask(self, path: str, tokens: Tokens) -> requests.Response:
        headers = {"Authorization": f"Bearer {tokens.access}"}
        return ask("GET", f"{self.api_url}{path}", headers=headers)

    def _granted(self, **asked: str) -> Tokens:
        """The reply's own words are not repeated: nobody promises that they hold no token."""
        known = {"client_id": self.client_id, "client_secret": self.client_secret}
        response = ask("POST", f"{self.auth_url}/oauth/token", json=known | asked)
        if _has_ended(response):
            raise GrantRefused("Atlassian says that this was revoked, used before, or is too old")
        reply = as_object(response)
        try:
            return Tokens(
                access=reply["access_token"],
                refresh=reply["refresh_token"],
                expires_at=clock.now() + float(reply["expires_in"]),
            )
        except (KeyError, TypeError, ValueError):
            raise SourceNotUnderstood("Atlassian sent something else than tokens") from None


def _is_of(resource: dict[str, Any], confluence_url: str) -> bool:
    """By its address; or by its id, where CONFLUENCE_URL is that of Atlassian's gateway."""
    wanted, found = urlsplit(confluence_url), urlsplit(str(resource.get("url", "")))
    is_gateway = f"/ex/confluence/{resource.get('id')}/" in f"{wanted.path}/"
    is_same = (wanted.scheme, wanted.netloc.lower()) == (found.scheme, found.netloc.lower())
    return bool(resource.get("id")) and (is_gateway or is_same)


def _has_ended(response: requests.Response) -> bool:
    """Documented as 403 with `invalid_grant`."""
    if response.status_code not in (400, 401, 403):
        return False
    try:
        said = response.json()
    except requests.exceptions.JSONDecodeError:
        return False
    return isinstance(said, dict) and said.get("error") == ENDED
