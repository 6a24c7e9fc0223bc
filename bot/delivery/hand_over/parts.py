"""What the delivery of a hand-over needs of Slack, and of those who know people there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from bot.slack_api.threads.thread_reply import ThreadReply
from bot.views.block_kit import Block
from core.access.disclosure import Disclosure
from core.turns.hand_over.requests import Person
from core.turns.turn import Turn


class Helpers(Protocol):
    """Whom a question can be handed to, see bot.access.candidates."""

    def of(self, turn: Turn, asked_by: str) -> Iterator[Person]: ...


class Ephemeral(Protocol):
    """Tells one person something, see bot.slack_api.ephemeral."""

    def tell(self, turn: Turn, person: str, key: str, **values: str) -> None: ...
    def post(
        self,
        turn: Turn,
        user: str,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
    ) -> None: ...


class PersonalMessages(Protocol):
    """Direct messages with one person, see bot.slack_api.messages; each may raise SlackError."""

    def post_to(
        self, user: str, text: str, blocks: Sequence[Block], post_id: str, *, shows: Disclosure
    ) -> tuple[str, str]: ...
    def update(
        self, channel: str, ts: str, text: str, blocks: Sequence[Block] = (), *, shows: Disclosure
    ) -> None: ...
    def direct(self, user: str, since: float) -> Iterable[tuple[str, ThreadReply]]: ...


class FilledViews(Protocol):
    """Modals in Slack, see bot.slack_api.views."""

    def fill(self, view_id: str, view: Block, *, shows: Disclosure) -> None: ...
