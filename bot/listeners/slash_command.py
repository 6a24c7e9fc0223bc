"""The slash command: help, settings, and a question that is answered in private.

An ephemeral message cannot stream, and cannot be explained or voted on. So a private question is
answered in direct messages, and the command replies with the permalink.
"""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.listeners.settings import SettingsListeners
from bot.slack_api.direct_messages import DirectMessages
from bot.slack_api.payloads import Payload
from bot.slack_api.permalinks import Permalinks
from bot.views import messages

NAME = "/groundwire"
HELP = {"", "help", "hilfe", "?"}
SETTINGS = {"settings", "einstellungen"}


class SlashCommand:
    """Replies at once; what takes longer runs as a lazy listener."""

    def __init__(
        self,
        settings: SettingsListeners,
        direct_messages: DirectMessages,
        permalinks: Permalinks,
    ) -> None:
        self._settings = settings
        self._direct_messages = direct_messages
        self._permalinks = permalinks

    def register(self, app: App) -> None:
        app.command(NAME)(ack=self.command, lazy=[self.afterwards])

    def command(self, body: Payload, ack: Any) -> None:
        text = " ".join(body.get("text", "").split())
        if text.lower() in HELP:
            ack(messages.settings.COMMAND_HELP)
        elif text.lower() in SETTINGS:
            self._open_settings(body, ack)
        else:
            ack(self._ask(text, body))

    def afterwards(self, body: Payload) -> None:
        """What takes longer than Slack waits: whether this person may change what was opened."""
        text = body.get("text", "")
        if text.strip().lower() not in SETTINGS:
            return
        owner, user = _owner(body), body["user_id"]
        if owner != user:
            self._settings.admit(body["trigger_id"], body["team_id"], owner, user)

    def _open_settings(self, body: Payload, ack: Any) -> None:
        team, owner = body["team_id"], _owner(body)
        if self._settings.open(body["trigger_id"], team, owner):
            ack()
        else:
            ack(messages.settings.NOT_OPENED)

    def _ask(self, question: str, body: Payload) -> str:
        team, user = body["team_id"], body["user_id"]
        where = self._direct_messages.ask(team, user, question)
        if where is None:
            return messages.settings.NOT_ASKED_IN_PRIVATE
        link = self._permalinks.to(where.channel, where.ts)
        return messages.settings.ASKED_IN_PRIVATE.format(link=link)


def _owner(body: Payload) -> str:
    """Whose settings are meant: the channel's, or in direct messages the person's."""
    is_direct = body["channel_name"] == "directmessage"
    return str(body["user_id"] if is_direct else body["channel_id"])
