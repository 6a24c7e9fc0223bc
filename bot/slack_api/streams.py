"""Streams in Slack: chat.startStream, chat.appendStream and chat.stopStream, one call each."""

from __future__ import annotations

from collections.abc import Sequence

from bot.slack_api.calls import slack_call
from bot.slack_api.capabilities import Capabilities
from bot.slack_api.messages import metadata
from bot.slack_api.outbox.urgency import Urgency
from bot.slack_api.sender import Sender, Write
from bot.views.block_kit import Block
from core.access.disclosure import Disclosure
from core.turns.turn import Address

START = "chat.startStream"


class SlackStreams:
    """Every method raises SlackError."""

    def __init__(self, sender: Sender, capabilities: Capabilities) -> None:
        self._sender = sender
        self._capabilities = capabilities

    def has_room(self) -> bool:
        """Whether Slack would take the beginning and the end of one more stream now."""
        ends = self._sender.has_room(Write.STOP_STREAM, urgency=Urgency.PROGRESS)
        return ends and self._sender.has_room(Write.START_STREAM)

    def start(self, address: Address, user: str, text: str, *, shows: Disclosure) -> str:
        """The timestamp of the message that grows; empty where Slack does not stream."""
        reply = self._capabilities.attempt(
            address.team,
            START,
            lambda: self._sender.send(
                Write.START_STREAM,
                shows=shows,
                channel=address.channel,
                thread_ts=address.thread_ts,
                markdown_text=text,
                recipient_user_id=user,  # required in channels
                recipient_team_id=address.team,
            ),
        )
        return "" if reply is None else str(reply["ts"])

    @slack_call()
    def append(self, channel: str, ts: str, text: str, *, shows: Disclosure) -> None:
        self._sender.send(
            Write.APPEND_STREAM,
            shows=shows,
            channel=channel,
            ts=ts,
            markdown_text=text,
        )

    @slack_call()
    def stop(
        self,
        channel: str,
        ts: str,
        *,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        shows: Disclosure,
    ) -> None:
        """End it with the rest of its text, and blocks under it."""
        self._sender.send(
            Write.STOP_STREAM,
            shows=shows,
            channel=channel,
            ts=ts,
            markdown_text=text or None,
            blocks=list(blocks) or None,
            metadata=metadata(post_id),
        )
