"""Moves a question from the slash command or App Home into the direct messages of the asker."""

from __future__ import annotations

from collections.abc import Callable

from bot import voices
from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackError
from bot.slack_api.sender import Sender, Write
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.storage.database import Database
from core.turns.turn import Address

# Where, who, what: see bot.listeners.questions.
Ask = Callable[[Address, str, str, Disclosure], None]

log = logs.get(__name__)


class DirectMessages:
    """Opens a thread in direct messages.

    The question is shown by the answer's own message, so it goes when the turn is forgotten.
    """

    def __init__(self, sender: Sender, database: Database, ask: Ask) -> None:
        self._sender = sender
        self._database = database
        self._ask = ask

    def ask(
        self,
        team: str,
        user: str,
        question: str,
        *,
        shows: Disclosure,
    ) -> Address | None:
        """Where it is answered; None when Slack does not deliver to this person."""
        text = voices.to(self._database, team, user)("private-root")
        try:
            with slack_call():
                root = self._sender.send(Write.POST, shows=NOTHING, channel=user, text=text)
        except SlackError as error:
            log.warning("direct_message.refused", user=user, error=str(error))
            return None
        ts = str(root["ts"])
        where = Address(team, str(root["channel"]), ts, ts)
        self._ask(where, user, question, shows)
        return where
