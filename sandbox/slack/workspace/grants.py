"""What the app may do in which workspace: codes, access tokens and refresh tokens.

docs.slack.dev/authentication/installing-with-oauth and …/using-token-rotation. User tokens,
scopes that are added later, PKCE and installations on a whole organization are left out.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from sandbox.slack.workspace.values import BOT_TOKEN, HOME, Ids, Refused

CODE_S = 600.0  # "expires after ten minutes"
ROTATION_S = 43_200  # "expires every 12 hours"
MANIFEST = Path(__file__).parents[3] / "manifest.json"
ACTIVE = 2  # "a limit of 2 active tokens": the oldest more is revoked


@cache
def all_scopes() -> str:
    """Those of the manifest, from which the app was made."""
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return ",".join(manifest["oauth_config"]["scopes"]["bot"])


@dataclass(frozen=True)
class Consent:
    """That somebody allows the app in a workspace: what a code stands for."""

    ids: Ids
    user: str
    scope: str
    redirect_uri: str  # empty when none was asked for


@dataclass
class Token:
    """An access token of the bot; `ended` is the error that its use is answered with."""

    consent: Consent
    access: str
    refresh: str = ""  # empty once it was used
    lives_s: int | None = None  # when it was made; None: for ever
    expires_at: float | None = None
    ended: str = ""

    @property
    def error(self) -> str:
        if self.ended:
            return self.ended
        return "token_expired" if self.expires_at and time.time() >= self.expires_at else ""


@dataclass
class Grants:
    """Everything that was allowed; the first workspace has the app from the beginning."""

    rotation_s: int | None = None  # how long an access token lives; None: for ever
    _codes: dict[str, tuple[Consent, float]] = field(default_factory=dict)
    _tokens: list[Token] = field(
        default_factory=lambda: [Token(Consent(HOME, "U0ALICE", all_scopes(), ""), BOT_TOKEN)]
    )
    _installed: set[str] = field(default_factory=lambda: {HOME.team})

    def is_installed(self, team: str) -> bool:
        return team in self._installed

    def allow(self, consent: Consent) -> str:
        """Somebody allows it; a code for one exchange within ten minutes."""
        code = f"{consent.ids.team}.{secrets.token_hex(16)}"
        self._codes[code] = (consent, time.time() + CODE_S)
        return code

    def exchange(self, code: str, redirect_uri: str) -> Token:
        """The token for a code, with which the app is installed.

        Raises:
            Refused: invalid_code (unknown, used or too old), bad_redirect_uri
        """
        consent, until = self._codes.pop(code, (None, 0.0))
        if consent is None or time.time() > until:
            raise Refused("invalid_code")
        if consent.redirect_uri != redirect_uri:
            raise Refused("bad_redirect_uri")
        self._installed.add(consent.ids.team)
        return self._issue(consent)

    def refresh(self, refresh: str) -> Token:
        """A new pair of tokens; the refresh token works once, the old access token goes on.

        Slack lets a refresh token work again in a short grace period, of which no length is told:
        there is none here.

        Raises:
            Refused: invalid_refresh_token
        """
        for token in self._tokens:
            if refresh and token.refresh == refresh:
                token.refresh = ""
                return self._issue(token.consent)
        raise Refused("invalid_refresh_token")

    def team_of(self, access: str) -> str:
        """Whose token it is, live or not; the first workspace's for what is nobody's."""
        found = (each.consent.ids.team for each in self._tokens if each.access == access)
        return next(found, HOME.team)

    def of(self, access: str) -> Token:
        """The live token that is sent with a call.

        Raises:
            Refused: invalid_auth, token_expired, token_revoked, account_inactive
        """
        token = next((each for each in self._tokens if each.access == access), None)
        if token is None:
            raise Refused("invalid_auth")
        if token.error:
            raise Refused(token.error)
        return token

    def revoke(self, access: str) -> None:
        """End one token (docs.slack.dev/reference/methods/auth.revoke).

        Where tokens rotate, the installation stays; else it has no other, and goes.
        """
        token = self.of(access)
        token.ended = "token_revoked"
        if token.expires_at is None:
            self._installed.discard(token.consent.ids.team)

    def remove(self, team: str) -> None:
        """Uninstall the app: account_inactive is what bot tokens are answered from now on."""
        for token in self._in(team):
            token.ended, token.refresh = "account_inactive", ""
        self._installed.discard(team)

    def narrow(self, team: str, scopes: list[str]) -> None:
        """An administrator has approved these scopes and no others."""
        for token in self._in(team):
            token.consent = replace(token.consent, scope=",".join(scopes))

    def expire(self, team: str) -> int:
        """Let the time of all rotating tokens of a workspace be over; how many there were."""
        found = [each for each in self._in(team) if each.expires_at and not each.error]
        for token in found:
            token.expires_at = time.time()
        return len(found)

    def _issue(self, consent: Consent) -> Token:
        part, rotates = secrets.token_hex(12), self.rotation_s is not None
        access = f"{'xoxe.xoxb-1' if rotates else 'xoxb'}-{consent.ids.team}-{part}"
        token = Token(consent, access)
        if self.rotation_s is not None:
            token.refresh = f"xoxe-1-{secrets.token_hex(16)}"
            token.lives_s, token.expires_at = self.rotation_s, time.time() + self.rotation_s
        self._tokens.append(token)
        self._keep_two(consent.ids.team)
        return token

    def _keep_two(self, team: str) -> None:
        active = [each for each in self._in(team) if each.expires_at and not each.error]
        for token in active[:-ACTIVE]:
            token.ended, token.refresh = "token_revoked", ""

    def _in(self, team: str) -> list[Token]:
        return [each for each in self._tokens if each.consent.ids.team == team]
