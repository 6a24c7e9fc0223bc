"""Streams an answer in front of the asker: chat.startStream, chat.appendStream, chat.stopStream.

In a channel only the asker sees it grow, the others see its beginning
(docs.slack.dev/reference/methods/chat.startStream). A stream only grows, ends by itself after some
minutes, and has Slack's Stop button. When it cannot go on, its message is updated like any other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from bot.delivery.turn_message import TurnMessage
from bot.slack_api.errors import REFUSED_BLOCKS, UNSURE, Dropped, PlaceGone, SlackRefused
from bot.views.block_kit import Block
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.turns.turn import Address, Turn

BUFFER = 256  # characters that are worth a call; slack_sdk's own choice
EVERY_S = 1.0
# Characters; a message takes 12,000 of Markdown, and a longer answer is split when it is done.
MOST = 11_000
OVER = "message_not_in_streaming_state"

log = logs.get(__name__)


class Streams(Protocol):
    """Streams in Slack, as bot.slack_api.streams makes the calls; each may raise SlackError."""

    def has_room(self) -> bool: ...
    def start(self, address: Address, user: str, text: str, *, shows: Disclosure) -> str: ...
    def append(self, channel: str, ts: str, text: str, *, shows: Disclosure) -> None: ...
    def stop(
        self,
        channel: str,
        ts: str,
        *,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        shows: Disclosure,
    ) -> None: ...


class Stream:
    """The stream of one message; started at most once."""

    def __init__(self, streams: Streams, turn: Turn, message: TurnMessage) -> None:
        self._streams = streams
        self._turn = turn
        self._message = message
        self._ts = ""
        self._sent = ""
        self._next_at = 0.0
        self.is_open = False

    def has_room(self) -> bool:
        """Whether Slack would take the beginning and the end of one more stream now."""
        if time.monotonic() < self._next_at:
            return False
        self._next_at = time.monotonic() + EVERY_S
        return self._streams.has_room()

    def start(self, text: str, *, shows: Disclosure) -> bool:
        """Start with this text; False where Slack does not stream."""
        self._message.begin()
        self._sent = text[:MOST]
        address, user = self._turn.address, self._turn.user
        try:
            self._ts = self._streams.start(address, user, self._sent, shows=shows)
        except SlackRefused as error:
            if isinstance(error, PlaceGone) or error.code in UNSURE:
                raise  # the retry looks for the message first
            log.warning("stream.refused", turn=self._turn.id, error=error.code)
            return False
        if self._ts:
            self._message.save_place(self._ts)
            self.is_open = True
            self._next_at = time.monotonic() + EVERY_S
        return self.is_open

    def grow(self, text: str, *, shows: Disclosure) -> None:
        """Append what the text has more by now; stops when the text has changed its beginning."""
        if not text.startswith(self._sent):
            self._end("", (), shows=NOTHING)
            return
        more = text[len(self._sent) : MOST]
        is_worth_a_call = len(more) >= BUFFER or time.monotonic() >= self._next_at
        if more and is_worth_a_call and self._append(more, shows):
            self._sent += more
            self._next_at = time.monotonic() + EVERY_S

    def finish(self, blocks: Sequence[Block], *, shows: Disclosure) -> bool:
        """End the stream; with the rest of its text, where the first block goes on as it began.

        True when its message is final now: that text, with the other blocks under it.
        """
        if not self.is_open:
            return False
        first = blocks[0] if blocks else {}
        text = first["text"] if first.get("type") == "markdown" else ""
        if not text.startswith(self._sent):
            self._end("", (), shows=NOTHING)
            return False
        return self._end(text[len(self._sent) :], blocks[1:], shows=shows)

    def _append(self, more: str, shows: Disclosure) -> bool:
        try:
            self._streams.append(self._turn.address.channel, self._ts, more, shows=shows)
        except Dropped:
            return False  # the next piece brings it along
        except PlaceGone:
            raise
        except SlackRefused as error:
            log.info("stream.over", turn=self._turn.id, error=error.code)
            if error.code == OVER:
                self.is_open = False
            # It may have been appended or not: the message is updated from now on.
            self._end("", (), shows=NOTHING)
            return False
        return True

    def _end(self, rest: str, blocks: Sequence[Block], *, shows: Disclosure) -> bool:
        """False when Slack does not take it: the message is updated from then on."""
        self.is_open = False
        try:
            self._streams.stop(
                self._turn.address.channel,
                self._ts,
                text=rest,
                blocks=blocks,
                post_id=self._message.post_id,
                shows=shows,
            )
        except SlackRefused as error:
            if error.code not in {OVER, *REFUSED_BLOCKS}:
                raise
            log.info("stream.not_stopped", turn=self._turn.id, error=error.code)
            return False
        return True
