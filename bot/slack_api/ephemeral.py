"""Ephemeral messages, which only one person sees; a failure is logged and changes nothing.

A listener that has something to say must acknowledge first: a speaker says it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot import voices
from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackError
from bot.slack_api.payloads import Payload, team_id, user_id
from bot.slack_api.sender import Sender, Write
from bot.views.block_kit import Block
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.jobs.afterwards import PutOff, put_off
from core.storage.database import Database
from core.turns.turn import Turn

log = logs.get(__name__)


class EphemeralMessages:
    """Has one person told something, in the thread that it is about."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tell(self, turn: Turn, person: str, key: str, **values: str) -> None:
        """A sentence in this person's own language."""
        say = voices.to(self._database, turn.address.team, person)
        self.post(turn, person, say(key, **values), shows=NOTHING)

    def post(
        self,
        turn: Turn,
        user: str,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
    ) -> None:
        where = turn.address
        there = {"channel": where.channel, "thread_ts": where.thread_ts}
        self._post(where.team, there | {"user": user}, text, blocks, shows=shows)

    def reply(self, body: Payload, key: str) -> None:
        """Tell whoever pressed a button a sentence in their own language."""
        say = voices.to(self._database, team_id(body), user_id(body))
        self.answer(body, say(key))

    def answer(self, body: Payload, text: str, blocks: Sequence[Block] = ()) -> None:
        """The same for a sentence that is made already."""
        thread_ts = body.get("message", {}).get("thread_ts")
        channel = body.get("container", {}).get("channel_id")
        if channel:
            there = {"channel": channel, "thread_ts": thread_ts, "user": user_id(body)}
            self._post(team_id(body), there, text, blocks, shows=NOTHING)

    def _post(
        self,
        team: str,
        there: Payload,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
    ) -> None:
        if shows != NOTHING:
            raise ValueError("what waits in SQL gives no page away")
        put_off(
            self._database,
            PutOff.TELL,
            team=team,
            message=there | {"text": text, "blocks": list(blocks) or None},
        )


def tell(sender: Sender, message: Payload) -> None:
    """Say one that was put off: a sentence of ours, with the arguments of Slack's method."""
    try:
        with slack_call():
            sender.send(Write.EPHEMERAL, shows=NOTHING, **message)
    except SlackError as error:
        log.warning("ephemeral.refused", channel=message["channel"], error=str(error))
