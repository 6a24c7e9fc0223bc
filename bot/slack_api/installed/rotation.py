"""Token rotation: access tokens that end after twelve hours, and refresh tokens that work once.

docs.slack.dev/authentication/using-token-rotation. Whoever needs a new token takes the workspace's
lease, so that two processes never use the same refresh token.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import PlaceGone, SlackRefused, SlackUnreachable
from bot.slack_api.installed.installations import Installations, SlackTokens
from core import logs
from core.jobs.leases import lease
from core.settings import Settings
from core.storage import clock
from core.storage.database import Database

AHEAD_S = 1800.0  # the bot renews a token so long before its end: nobody has to wait then
LAST_S = 60.0  # a speaker renews it itself, so that it lasts for a call and its repetitions
WAIT_S, LOOK_S = 10.0, 0.1  # for another process that is at it

# The refresh token is of no use: docs.slack.dev/reference/methods/oauth.v2.access#errors
USED_UP = {"invalid_refresh_token", "invalid_grant", "token_revoked", "account_inactive"}
EXPIRED = "token_expired"

log = logs.get(__name__)


@dataclass(frozen=True)
class Rotation:
    """Exchanges refresh tokens of this app for new access tokens."""

    database: Database
    installations: Installations
    settings: Settings

    def renewed(self, team: str, old: SlackTokens) -> SlackTokens:
        """Those that take the place of these.

        Raises:
            PlaceGone: the app is not installed there any more, or has to be installed again.
            SlackError: Slack does not answer now.
        """
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            with lease(self.database, f"slack_token:{team}") as held:
                found = self.installations.tokens(team)
                if found is None:
                    raise PlaceGone("token_revoked")
                if found != old:
                    return found
                if held:
                    return self._exchanged(team, old)
            time.sleep(LOOK_S)
        raise SlackUnreachable("another process is renewing the token")

    def refused(self, team: str, code: str) -> PlaceGone:
        """Nothing is sent there until Slack takes the tokens again, or gets others."""
        log.error("installation.refused", team=team, error=code, cure="install it again")
        self.installations.mark(team, code)
        return PlaceGone(code)

    def try_again(self, team: str) -> None:
        """Slack is asked whether it takes the tokens after all, which may have been its mistake.

        Raises:
            SlackError: it does not.
        """
        if tokens := self.installations.tokens(team):
            with slack_call():
                WebClient(tokens.access, base_url=self.settings.slack_api_url).auth_test()
            log.info("installation.works_again", team=team)
            self.installations.mark(team, "")

    def _exchanged(self, team: str, old: SlackTokens) -> SlackTokens:
        try:
            with slack_call():
                new = self._exchange(old)
        except SlackRefused as error:
            if error.code not in USED_UP:
                raise
            raise self.refused(team, error.code) from None
        if not self.installations.renew(team, old, new):
            raise PlaceGone("token_revoked")
        log.info("installation.token_renewed", team=team)
        return new

    def _exchange(self, old: SlackTokens) -> SlackTokens:
        secret = self.settings.slack_oauth_client_secret
        assert secret
        reply = WebClient(base_url=self.settings.slack_api_url, timeout=15).oauth_v2_access(
            client_id=self.settings.slack_oauth_client_id,
            client_secret=secret.get_secret_value(),
            grant_type="refresh_token",
            refresh_token=old.refresh,
        )
        return tokens_of(dict(reply.data))  # type: ignore[arg-type]


@dataclass(frozen=True)
class StoredToken:
    """The token of one workspace: read for each call, since another process may renew or erase."""

    team: str
    installations: Installations
    rotation: Rotation

    def token(self) -> str:
        tokens = self._tokens()
        if not tokens.lasts(LAST_S):
            tokens = self.rotation.renewed(self.team, tokens)
        return tokens.access

    def refused(self, token: str, code: str) -> bool:
        tokens = self._tokens()
        if tokens.access != token:
            return True  # another process has renewed it meanwhile
        if code == EXPIRED and tokens.refresh:
            self.rotation.renewed(self.team, tokens)
            return True
        raise self.rotation.refused(self.team, code)

    def renew_ahead(self) -> None:
        """Raises SlackError."""
        tokens = self._tokens()
        if not tokens.lasts(AHEAD_S):
            self.rotation.renewed(self.team, tokens)

    def _tokens(self) -> SlackTokens:
        installation = self.installations.find(self.team)
        found = self.installations.tokens(self.team)
        if installation is None or installation.refused or found is None:
            raise PlaceGone("not_installed")
        return found


def tokens_of(reply: dict[str, object]) -> SlackTokens:
    """Of a reply to oauth.v2.access."""
    refresh = str(reply.get("refresh_token") or "")
    expires_in_s = float(str(reply.get("expires_in") or 0))
    return SlackTokens(
        access=str(reply["access_token"]), refresh=refresh, expires_at=clock.now() + expires_in_s
    )
