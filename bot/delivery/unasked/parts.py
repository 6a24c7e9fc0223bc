"""What messages that nobody asked for need of Slack, and of those who know people there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.views.block_kit import Block
from core.access.disclosure import Disclosure
from core.turns.turn import Address


class Recipients(Protocol):
    """See bot.access.account_holders; each may raise SlackError."""

    def owner(self, team: str, account: str) -> str: ...
    def is_open(self, channel: str) -> bool: ...


class ChannelMessages(Protocol):
    """Posts into a channel, or into direct messages; may raise SlackError."""

    def post_to(
        self, user: str, text: str, blocks: Sequence[Block], post_id: str, *, shows: Disclosure
    ) -> tuple[str, str]: ...


class DigestMessages(ChannelMessages, Protocol):
    """Messages in Slack, see bot.slack_api.messages; each may raise SlackError."""

    def post(
        self,
        address: Address,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        *,
        shows: Disclosure,
    ) -> str: ...
    def update(
        self, channel: str, ts: str, text: str, blocks: Sequence[Block] = (), *, shows: Disclosure
    ) -> None: ...
