"""Sentences that only one person sees: courtesies, so their failure must not undo what was done."""

from __future__ import annotations

from collections.abc import Sequence

from slack_sdk import WebClient
from slack_sdk.errors import SlackClientError

from bot.slack_api.payloads import Payload
from bot.views import messages
from bot.views.block_kit import Block
from core import logs
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Turn

log = logs.get(__name__)


class EphemeralMessages:
    """Says something to one person, in the thread that it is about."""

    def __init__(self, client: WebClient, database: Database) -> None:
        self._client = client
        self._database = database

    def say(self, turn: Turn, user: str, text: str, blocks: Sequence[Block] = ()) -> None:
        self._say(user, turn.address.channel, turn.address.thread_ts, text, blocks)

    def answer(self, body: Payload, text: str) -> None:
        """Answer whoever pressed a button."""
        message = body.get("message", {})
        place = body.get("container", {}).get("channel_id")
        if place:
            self._say(body["user"]["id"], place, message.get("thread_ts"), text)

    def turn_of(self, turn_id: str, body: Payload) -> Turn | None:
        """The turn that a button is about; when it is not known any more, that is said."""
        turn = turn_store.load(self._database, turn_id)
        if turn is None or turn.is_forgotten:
            self.answer(body, messages.UNKNOWN_ANSWER)
            return None
        return turn

    def _say(
        self,
        user: str,
        channel: str,
        thread_ts: str | None,
        text: str,
        blocks: Sequence[Block] = (),
    ) -> None:
        try:
            self._client.chat_postEphemeral(
                channel=channel,
                user=user,
                thread_ts=thread_ts,
                text=text,
                blocks=list(blocks) or None,
            )
        except (SlackClientError, OSError) as error:  # OSError: no answer at all
            log.warning("whisper.refused", channel=channel, error=str(error))
