"""The pages on which somebody installs the app in a workspace: to Slack's consent, and back.

OAuth 2.0 as in docs.slack.dev/authentication/installing-with-oauth. Whoever installs the app lets
its workspace read our pages, so only workspaces that the operator has named are taken; any other
loses the app again at once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from slack_sdk import WebClient
from slack_sdk.oauth import AuthorizeUrlGenerator
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot.linking.page import page, spoken
from bot.linking.tickets import VALID_S, LinkStep, TicketRefused, Tickets, new_id
from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackError
from bot.slack_api.installed.installations import Installation, Installations
from bot.slack_api.installed.rotation import tokens_of
from core import logs
from core.policy import audit
from core.policy.audit import Act
from core.settings import Settings
from core.storage.database import Database

INSTALL = "/slack/install"
CALLBACK = "/slack/oauth_redirect"
MANIFEST = Path(__file__).parents[2] / "manifest.json"

log = logs.get(__name__)


@dataclass(frozen=True)
class SlackApp:
    """The app as Slack's OAuth knows it."""

    client_id: str
    client_secret: str
    api_url: str
    public_url: str

    @classmethod
    def of(cls, chosen: Settings) -> SlackApp:
        secret = chosen.slack_oauth_client_secret
        return cls(
            client_id=chosen.slack_oauth_client_id,
            client_secret=secret.get_secret_value() if secret else "",
            api_url=chosen.slack_api_url,
            public_url=chosen.public_url.rstrip("/"),
        )

    @property
    def redirect_url(self) -> str:
        return f"{self.public_url}{CALLBACK}"

    def consent_url(self, state: str) -> str:
        """Slack's page, which stands beside its Web API."""
        generator = AuthorizeUrlGenerator(
            client_id=self.client_id,
            redirect_uri=self.redirect_url,
            scopes=scopes(),
            authorization_url=urljoin(self.api_url, "../oauth/v2/authorize"),
        )
        return generator.generate(state)

    @slack_call()
    def exchange(self, code: str) -> dict[str, Any]:
        """What Slack gives for a code, which works once.

        docs.slack.dev/reference/methods/oauth.v2.access. Raises SlackError.
        """
        reply = WebClient(base_url=self.api_url).oauth_v2_access(
            client_id=self.client_id,
            client_secret=self.client_secret,
            code=code,
            redirect_uri=self.redirect_url,
        )
        return {**reply.data}  # type: ignore[dict-item]

    @slack_call()
    def bot_id(self, token: str) -> str:
        """Raises SlackError."""
        return str(WebClient(token, base_url=self.api_url).auth_test().get("bot_id") or "")

    @slack_call()
    def give_back(self, token: str) -> None:
        """Uninstall the app: where tokens rotate, a revoked one alone leaves its events coming.

        docs.slack.dev/authentication/using-token-rotation, "Uninstalling apps". Raises SlackError.
        """
        WebClient(token, base_url=self.api_url).apps_uninstall(
            client_id=self.client_id, client_secret=self.client_secret
        )


class InstallPages:
    """What browsers are shown; no token and no code is logged."""

    def __init__(
        self, database: Database, app: SlackApp, installations: Installations, tickets: Tickets
    ) -> None:
        self._database = database
        self._app = app
        self._installations = installations
        self._tickets = tickets

    @property
    def routes(self) -> list[Route]:
        return [Route(INSTALL, self.install), Route(CALLBACK, self.callback)]

    def install(self, request: Request) -> Response:
        """On to Slack, with a state that only this browser can bring back, once."""
        cookie = request.cookies.get(self._cookie, "") or new_id()
        response = RedirectResponse(self._app.consent_url(self._tickets.install(cookie)), 303)
        response.headers["Cache-Control"] = "no-store"
        response.set_cookie(
            self._cookie,
            cookie,
            max_age=VALID_S,
            secure=self._has_tls,
            httponly=True,
            samesite="lax",
        )
        return response

    def callback(self, request: Request) -> Response:
        """Back from Slack, with a code or with what became of it."""
        query, cookie = request.query_params, request.cookies.get(self._cookie, "")
        try:
            ticket = self._tickets.read(query.get("state", ""), LinkStep.INSTALL, cookie)
            self._tickets.use(ticket)
        except TicketRefused:
            return _told(request, "install-expired", status=403)
        if "code" not in query:
            return _told(request, "install-denied", status=403)
        try:
            return self._installed(request, self._app.exchange(query["code"]))
        except SlackError as error:
            log.warning("install.failed", error=str(error))
            return _told(request, "install-failed", status=502)

    def _installed(self, request: Request, reply: dict[str, Any]) -> Response:
        tokens, team = tokens_of(reply), reply.get("team") or {}
        if reply.get("is_enterprise_install") or not team:
            self._app.give_back(tokens.access)
            return _told(request, "install-organization", status=403)
        if not self._installations.may_install(team["id"]):
            log.warning("install.not_named", team=team["id"], cure="SLACK_WORKSPACES")
            self._app.give_back(tokens.access)
            return _told(request, "install-not-named", status=403, team=team["id"])
        by = str((reply.get("authed_user") or {}).get("id") or "")
        installation = Installation(
            team=team["id"],
            name=str(team.get("name") or ""),
            bot=str(reply["bot_user_id"]),
            bot_id=self._app.bot_id(tokens.access),
            installed_by=by,
        )
        self._installations.save(installation, tokens)
        audit.write(
            self._database, Act.INSTALLED, team=team["id"], actor=by, subject=installation.bot
        )
        log.info("install.made", team=team["id"], name=installation.name, by=by)
        return _told(request, "install-done", workspace=installation.name or installation.team)

    @property
    def _cookie(self) -> str:
        """With TLS no other host can set a cookie of this name: RFC 6265bis, section 4.1.3.2."""
        return "__Host-groundwire-install" if self._has_tls else "groundwire-install"

    @property
    def _has_tls(self) -> bool:
        return self._app.public_url.startswith("https:")


def scopes() -> list[str]:
    """What the app asks of a workspace, as the manifest says it."""
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return list(manifest["oauth_config"]["scopes"]["bot"])


def _told(request: Request, key: str, *, status: int = 200, **values: str) -> Response:
    say = spoken(request)
    return page(say, say(key, **values), heading=say("install-page-heading"), status=status)
