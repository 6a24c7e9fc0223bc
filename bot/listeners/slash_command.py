"""The slash command: help, settings, and a question that is answered in private.

An ephemeral message cannot grow while it is written, and cannot be explained or voted on; so a private question is answered in direct
messages, and only where to find it is said here.
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
    """Plain methods, as in bot.listeners.questions."""

    def __init__(
        self, prefer: SettingsListeners, private: DirectMessages, links: Permalinks
    ) -> None:
        self._prefer = prefer
        self._private = private
        self._links = links

    def register(self, app: App) -> None:
        app.command(NAME)(ack=self.command, lazy=[self.afterwards])

    def command(self, body: Payload, ack: Any) -> None:
        said = " ".join(body.get("text", "").split())
        if said.lower() in HELP:
            ack(messages.settings.COMMAND_HELP)
        elif said.lower() in SETTINGS:
            self._open_settings(body, ack)
        else:
            ack(self._asked(said, body))

    def afterwards(self, body: Payload) -> None:
        """What takes longer than Slack waits: whether this person may change what was opened."""
        is_settings = body.get("text", "").strip().lower() in SETTINGS
        if is_settings and _owner(body) != body["user_id"]:
            self._prefer.admit(
                body["trigger_id"], body["team_id"], body["channel_id"], body["user_id"]
            )

    def _open_settings(self, body: Payload, ack: Any) -> None:
        if self._prefer.open(body["trigger_id"], body["team_id"], _owner(body)):
            ack()
        else:
            ack(messages.settings.NOT_OPENED)

    def _asked(self, question: str, body: Payload) -> str:
        where = self._private.ask(body["team_id"], body["user_id"], question)
        if where is None:
            return messages.settings.NOT_ASKED_IN_PRIVATE
        return messages.settings.ASKED_IN_PRIVATE.format(
            link=self._links.to(where.channel, where.ts)
        )


def _owner(body: Payload) -> str:
    """Whose settings are meant: the channel's, or in direct messages the person's."""
    return str(body["user_id"] if body["channel_name"] == "directmessage" else body["channel_id"])
