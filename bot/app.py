"""Builds the Bolt app that both transports run: its settings, its listeners, its error handler."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.error import BoltUnhandledRequestError
from slack_sdk import WebClient

from bot import metrics
from bot.access.membership import Membership, NotYetKnown, asked
from bot.aside import Aside
from bot.listeners.changes.uninstalled import UninstallListeners
from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from bot.slack_api.installed.workspace import THE_ONLY, Workspace
from bot.wiring.listening import build_listeners
from core import logs
from core.settings import Settings
from core.storage.database import Database

# Called with what Bolt knows of a request, such as `team_id`.
Authorize = Callable[..., AuthorizeResult]

log = logs.get(__name__)


def build(
    chosen: Settings,
    database: Database,
    workspace: Workspace = THE_ONLY,
    *,
    authorize: Authorize | None = None,
) -> App:
    """The app in this workspace; without `authorize`, Slack is asked who the bot is there."""
    web, aside = client(chosen, workspace), Aside()
    app = _app(chosen, web, authorize)
    for listeners in build_listeners(chosen, database, web, aside, workspace=workspace):
        listeners.register(app)  # of several that match, Bolt calls the first
    learn = Membership(database, None, chosen).learn
    errors = _Errors(app, aside, lambda who: learn(who.team, who.user, Directory(web)))
    app.error(errors.handle)
    return app


def build_for_nobody(chosen: Settings, database: Database) -> App:
    """For workspaces in which the app is not installed, or not any more."""
    app = _app(chosen, client(chosen), lambda **_: AuthorizeResult(enterprise_id="", team_id=""))
    UninstallListeners(database).register(app)
    app.error(_handle_error)
    return app


def _app(chosen: Settings, web: WebClient, authorize: Authorize | None) -> App:
    """With `process_before_response` Slack repeats what a listener failed to save."""
    secret = chosen.slack_signing_secret
    return _MeteredApp(
        client=web,
        authorize=authorize,
        signing_secret=secret.get_secret_value() if secret else None,
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )


class _MeteredApp(App):
    """Measures how long Slack waits for each acknowledgement, over either transport."""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        began = time.perf_counter()
        response = super().dispatch(req)
        # A request with a wrong signature may say anything of itself.
        sent = kind(req.body) if response.status != 401 else ""
        seconds = time.perf_counter() - began
        metrics.ACKNOWLEDGED.labels(sent, response.status).observe(seconds)
        return response


class _Errors:
    """What becomes of a request whose listener did not return."""

    def __init__(self, app: App, aside: Aside, learn: Callable[[NotYetKnown], None]) -> None:
        self._app = app
        self._aside = aside
        self._learn = learn

    def handle(self, error: Exception, body: dict[str, Any]) -> BoltResponse | None:
        if isinstance(error, NotYetKnown):
            self._aside.submit(lambda: self._again(error, body))
            return BoltResponse(status=200)
        return _handle_error(error, body)

    def _again(self, error: NotYetKnown, body: dict[str, Any]) -> None:
        """The press of somebody whom SQL did not know, once Slack was asked about them.

        It was acknowledged, and its signature checked, before.
        """
        self._learn(error)
        with asked():
            self._app.dispatch(BoltRequest(body=body, mode="socket_mode"))


def _handle_error(error: Exception, body: dict[str, Any]) -> BoltResponse | None:
    """Acknowledge what nobody listens to, or Slack would take the bot for broken.

    After a failure Bolt replies 500, so that Slack delivers again.
    """
    sent = kind(body)
    if isinstance(error, BoltUnhandledRequestError):
        metrics.UNHANDLED.labels(sent).inc()
        log.info("unhandled", kind=sent)
        return BoltResponse(status=200)
    event_id = body.get("event_id")
    log.error("listener.failed", event_id=event_id, kind=sent, exc_info=error)
    return None


def kind(body: dict[str, Any]) -> str:
    """What Slack sends: the event's type, or that of the interaction.

    >>> kind({"type": "event_callback", "event": {"type": "app_mention"}})
    'app_mention'
    >>> kind({"type": "block_actions"}), kind({"command": "/ask"})
    ('block_actions', 'command')
    """
    event = body.get("event")
    if isinstance(event, dict):
        return str(event.get("type", ""))
    return "command" if "command" in body else str(body.get("type", ""))
