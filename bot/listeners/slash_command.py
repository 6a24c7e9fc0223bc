"""The slash command: help, settings, and a question that is answered in private.

An ephemeral message cannot stream, and cannot be explained or voted on. So a private question is
answered in direct messages, and the command replies that it will be.
"""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.locales import Locales
from bot.home.private_questions import PrivateQuestions
from bot.listeners.settings import SettingsListeners
from bot.slack_api.payloads import Payload
from bot.slack_api.sender import Sender
from core.access.disclosure import NOTHING
from core.dialogue.folding import in_lines
from core.language.sentences import Sentences
from core.storage.database import Database

NAME = "/groundwire"
HELP = {"", "help", "hilfe", "?"}
SETTINGS = {"settings", "einstellungen"}


class SlashCommand:
    """Replies at once; what takes longer runs as a lazy listener."""

    def __init__(
        self,
        database: Database,
        settings: SettingsListeners,
        sender: Sender,
        *,
        private: PrivateQuestions,
        locales: Locales,
    ) -> None:
        self._database = database
        self._settings = settings
        self._sender = sender
        self._private = private
        self._locales = locales

    def register(self, app: App) -> None:
        app.command(NAME)(ack=self.command, lazy=[self.afterwards])

    def command(self, body: Payload, ack: Any) -> None:
        text = in_lines(body.get("text", ""))
        say = self._say_to(body)
        if text.lower() in HELP:
            self._reply(ack, say("command-help"))
        elif text.lower() in SETTINGS:
            self._open_settings(body, ack)
        else:
            self._reply(ack, self._ask(text, body))

    def afterwards(self, body: Payload) -> None:
        """What takes longer than Slack waits: who this is, and may they change what was opened?"""
        self._locales.learn(body["team_id"], body["user_id"])
        text = body.get("text", "")
        if text.strip().lower() not in SETTINGS:
            return
        owner, user = _owner(body), body["user_id"]
        self._settings.admit(body["trigger_id"], body["team_id"], owner, user)

    def _open_settings(self, body: Payload, ack: Any) -> None:
        team, owner = body["team_id"], _owner(body)
        if self._settings.open(body["trigger_id"], team, owner, body["user_id"]):
            ack()
        else:
            self._reply(ack, self._say_to(body)("settings-not-opened"))

    def _reply(self, ack: Any, text: str) -> None:
        """A sentence of ours, which only this person sees."""
        self._sender.acknowledge(ack, shows=NOTHING, text=text)

    def _ask(self, question: str, body: Payload) -> str:
        team, user = body["team_id"], body["user_id"]
        say = self._say_to(body)
        self._private.ask(team, user, question, shows=NOTHING, channel=_channel(body))
        return say("asked-in-private")

    def _say_to(self, body: Payload) -> Sentences:
        return voices.to(self._database, body["team_id"], body["user_id"])


def _channel(body: Payload) -> str:
    """Where the command was written, as far as Slack says."""
    return str(body.get("channel_id") or "")


def _owner(body: Payload) -> str:
    """Whose settings are meant: the channel's, or in direct messages the person's.

    Slack wants to send the names of channels no longer, but direct messages are told by their id:
    docs.slack.dev/interactivity/implementing-slash-commands
    """
    channel = str(body["channel_id"])
    is_direct = body.get("channel_name", "") == "directmessage" or channel.startswith("D")
    return str(body["user_id"]) if is_direct else channel
