"""Sign in with Slack: OpenID Connect, the code flow of a server.

docs.slack.dev/authentication/sign-in-with-slack. The ID token comes straight from Slack's token
endpoint over TLS, which is what vouches for it (OpenID Connect Core 1.0, 3.1.3.7, 6); nothing that
Slack sends is kept or logged.
"""

from __future__ import annotations

import base64
import hmac
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin

from core.access.http import as_object, ask
from core.errors import GroundwireError, SourceError
from core.settings import Settings
from core.storage import clock

CALLBACK = "/signed-in"
SKEW_S = 60.0  # by which Slack's clock may differ from ours


class SignInRefused(GroundwireError):
    """Slack does not say who this is; the message says what is wrong, and no secret."""


@dataclass(frozen=True)
class SlackSignIn:
    """The app as Slack's OpenID Connect knows it."""

    client_id: str
    client_secret: str
    api_url: str
    console_url: str

    @classmethod
    def of(cls, chosen: Settings) -> SlackSignIn | None:
        """None where nobody is to sign in."""
        if not chosen.console_url:
            return None
        secret = chosen.console_client_secret
        return cls(
            client_id=chosen.console_client_id,
            client_secret=secret.get_secret_value() if secret else "",
            api_url=chosen.slack_api_url,
            console_url=chosen.console_url.rstrip("/"),
        )

    @property
    def redirect_url(self) -> str:
        return f"{self.console_url}{CALLBACK}"

    def consent_url(self, state: str, nonce: str) -> str:
        """Slack's page, which stands beside its Web API."""
        asked = {
            "response_type": "code",
            "scope": "openid",
            "client_id": self.client_id,
            "state": state,
            "nonce": nonce,
            "redirect_uri": self.redirect_url,
        }
        return f"{urljoin(self.api_url, '../openid/connect/authorize')}?{urlencode(asked)}"

    def who(self, code: str, nonce: str) -> str:
        """Whom the code stands for, as TEAM/USER.

        Raises:
            SignInRefused: the code is none, Slack does not answer, or it speaks of somebody else.
        """
        sent = {
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "code": code,
            "redirect_uri": self.redirect_url,
        }
        try:
            reply = as_object(ask("POST", f"{self.api_url}openid.connect.token", data=sent))
        except SourceError as error:
            raise SignInRefused(f"Slack: {error}") from None
        if reply.get("ok") is not True:
            raise SignInRefused(f"Slack says {str(reply.get('error'))[:100]}")
        claims = _claims(str(reply.get("id_token") or ""))
        self._check(claims, nonce)
        team, user = (
            claims.get("https://slack.com/team_id"),
            claims.get("https://slack.com/user_id"),
        )
        return f"{team}/{user}"

    def _check(self, claims: dict[str, Any], nonce: str) -> None:
        issuer = urljoin(self.api_url, "..").rstrip("/")
        if claims.get("iss") != issuer or claims.get("aud") != self.client_id:
            raise SignInRefused("the ID token is for another app")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise SignInRefused("the ID token belongs to another sign-in")
        until = claims.get("exp")
        if not isinstance(until, int) or until < clock.now() - SKEW_S:
            raise SignInRefused("the ID token is too old: is this machine's clock right?")


def _claims(id_token: str) -> dict[str, Any]:
    """The middle of a JSON Web Token (RFC 7519)."""
    try:
        middle = id_token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    except (IndexError, ValueError):
        raise SignInRefused("Slack has sent no ID token") from None
    return claims if isinstance(claims, dict) else {}
