"""The app was uninstalled, or its tokens revoked: erases what may not be kept.

Slack sends both events for one removal, in any order, and each more than once:
docs.slack.dev/reference/events/app_uninstalled and docs.slack.dev/reference/events/tokens_revoked
"""

from __future__ import annotations

from slack_bolt import App

from bot.installing import removal
from bot.slack_api.payloads import Payload
from core import logs
from core.storage.database import Database

log = logs.get(__name__)


class UninstallListeners:
    """For workspaces that have installed the app."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def register(self, app: App) -> None:
        app.event("app_uninstalled")(self.uninstalled)
        app.event("tokens_revoked")(self.revoked)

    def uninstalled(self, body: Payload) -> None:
        removal.uninstalled(self._database, body["team_id"], at=float(body["event_time"]))

    def revoked(self, body: Payload, event: Payload) -> None:
        """Tokens of people are none of ours: the app asks for none."""
        if event.get("tokens", {}).get("bot"):
            removal.revoked(self._database, body["team_id"], at=float(body["event_time"]))


class OnlyWorkspace:
    """The same where SLACK_BOT_TOKEN is the operator's own: only the operator erases anything."""

    def register(self, app: App) -> None:
        app.event("app_uninstalled")(self.ended)
        app.event("tokens_revoked")(self.ended)

    def ended(self, event: Payload) -> None:
        log.error("installation.refused", error=event["type"], cure="a new SLACK_BOT_TOKEN")
