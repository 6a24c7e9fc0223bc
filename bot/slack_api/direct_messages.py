"""Asks in the direct messages of somebody who asked elsewhere: by the slash command, or by an example in App Home."""

from __future__ import annotations

from collections.abc import Callable

from slack_sdk import WebClient

from bot.slack_api.errors import UNREACHABLE
from bot.views import messages
from core import logs
from core.turns.turn import Address

Ask = Callable[[Address, str, str], None]  # where, who, what; see bot.listeners.questions

log = logs.get(__name__)


class DirectMessages:
    """Opens a thread there; the question itself is said by the answer, so that it goes when it is forgotten."""

    def __init__(self, client: WebClient, ask: Ask) -> None:
        self._client = client
        self._ask = ask

    def ask(self, team: str, user: str, question: str) -> Address | None:
        """Where it is answered; None when the person cannot be written to."""
        try:
            root = self._client.chat_postMessage(channel=user, text=messages.settings.PRIVATE_ROOT)
        except UNREACHABLE as error:
            log.warning("private.refused", user=user, error=str(error))
            return None
        where = Address(team, str(root["channel"]), str(root["ts"]), str(root["ts"]))
        self._ask(where, user, question)
        return where
