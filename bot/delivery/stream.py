"""An answer that grows in front of whoever asked: chat.startStream, appendStream, stopStream.

In a channel only that person sees it grow, the others see its beginning (docs.slack.dev/reference/methods/chat.startStream). A stream only
grows, ends by itself after some minutes, and has a Stop button of Slack's: whenever it cannot go on, its message is changed as any other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError

from bot.delivery.turn_message import TurnMessage
from bot.slack_api.errors import REFUSED_BLOCKS, code, is_gone
from bot.slack_api.parts import BotParts
from bot.views.block_kit import Block
from core import logs
from core.turns.turn import Turn

BUFFER = 256  # characters that are worth a call; slack_sdk's own choice
EVERY_S = 1.0
MOST = 11_000  # characters; a message takes 12,000 of Markdown, and what is longer is split when it is done
START = "chat.startStream"
UNSURE = {"", "internal_error", "fatal_error", "service_unavailable", "request_timeout"}
OVER = "message_not_in_streaming_state"

log = logs.get(__name__)


class Stream:
    """The message of a voice while it grows; tried once."""

    def __init__(self, parts: BotParts, turn: Turn, voice: TurnMessage) -> None:
        self._parts = parts
        self._turn = turn
        self._voice = voice
        self._ts = ""
        self._said = ""
        self._next = 0.0
        self.is_open = False

    def start(self, text: str) -> bool:
        """Begin with this text; False where Slack does not stream."""
        where = self._turn.address
        self._said = text[:MOST]
        try:
            reply = self._parts.newer.attempt(
                where.team,
                START,
                lambda: self._parts.client.chat_startStream(
                    channel=where.channel,
                    thread_ts=where.thread_ts,
                    markdown_text=self._said,
                    recipient_user_id=self._turn.user,  # needed in channels, and true in direct messages
                    recipient_team_id=where.team,
                ),
            )
        except SlackApiError as error:
            if is_gone(error) or code(error) in UNSURE:
                raise  # it may stand there all the same; whoever tries again looks for it
            log.warning("stream.refused", turn=self._turn.id, error=code(error))
            return False
        if reply is not None:
            self._ts = str(reply["ts"])
            self._voice.stands_at(self._ts)
            self.is_open = True
            self._next = time.monotonic() + EVERY_S
        return self.is_open

    def grow(self, text: str) -> None:
        """Show what the text has more by now; ends the stream when it is not the same text any more."""
        if not text.startswith(self._said):
            self.stop()
            return
        more = text[len(self._said) : MOST]
        if not more or (len(more) < BUFFER and time.monotonic() < self._next):
            return
        if self._sent(more):
            self._said += more
            self._next = time.monotonic() + EVERY_S

    def stop(self, text: str = "", blocks: Sequence[Block] = ()) -> bool:
        """End it with the rest of the text; True when this has made it the final message: that text, with these blocks under it."""
        if not self.is_open:
            return False
        self.is_open = False
        rest = text[len(self._said) : MOST] if text.startswith(self._said) else ""
        self._said += rest
        is_final = bool(blocks) and blocks[0] == {"type": "markdown", "text": self._said}
        try:
            self._parts.client.chat_stopStream(
                channel=self._turn.address.channel,
                ts=self._ts,
                markdown_text=rest or None,
                blocks=list(blocks[1:]) if is_final else None,
                metadata=self._voice.metadata,
            )
        except SlackApiError as error:
            if code(error) not in {OVER, *REFUSED_BLOCKS}:
                raise
            log.info("stream.not_stopped", turn=self._turn.id, error=code(error))
            return False
        return is_final

    def _sent(self, more: str) -> bool:
        try:
            self._parts.client.chat_appendStream(
                channel=self._turn.address.channel, ts=self._ts, markdown_text=more
            )
        except SlackApiError as error:
            if is_gone(error):
                raise
            log.info("stream.over", turn=self._turn.id, error=code(error))
            if code(error) == OVER:
                self.is_open = False
            self.stop()  # whether it was added is not known: the message is changed from now on
            return False
        return True
