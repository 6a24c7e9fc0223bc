"""Posts a message once: saved in SQL, posted to Slack, then updated in place.

The post is written to SQL before it goes to Slack, and carries the post's id as message metadata:
its idempotency key. Whoever finds a post without a timestamp looks for it in Slack, so a process
killed at the worst moment causes no second message.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from bot import metrics
from bot.slack_api.errors import (
    NOT_AVAILABLE,
    REFUSED_BLOCKS,
    STILL_STREAMING,
    Dropped,
    SlackRefused,
)
from bot.slack_api.outbox.urgency import Urgency
from bot.slack_api.threads.thread_reply import ThreadReply
from bot.views.block_kit import Block
from core import logs
from core.access.disclosure import Disclosure
from core.states import PostKind
from core.storage.database import Database
from core.turns import post_store
from core.turns.post_store import Post
from core.turns.turn import Address, Turn

UPDATE_EVERY_S = 1.3  # the rate limit of chat.update is about 50 a minute

# Slack's pages contradict one another about whether a bot may read threads of channels, and an app
# may be let to do so once a minute: docs.slack.dev/reference/methods/conversations.replies#errors
UNREADABLE = NOT_AVAILABLE | {"ratelimited", "method_not_supported_for_channel_type"}

log = logs.get(__name__)


class Messages(Protocol):
    """Messages in Slack, as bot.slack_api.messages makes the calls; each may raise SlackError."""

    def post(
        self,
        address: Address,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        *,
        shows: Disclosure,
        urgency: Urgency = Urgency.FINAL,
    ) -> str: ...
    def update(
        self,
        channel: str,
        ts: str,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
        urgency: Urgency = Urgency.FINAL,
    ) -> None: ...
    def has_room(self) -> bool: ...
    def end_stream(self, channel: str, ts: str) -> None: ...
    def replies(self, address: Address) -> Iterator[ThreadReply]: ...
    def own_bot_id(self) -> str: ...


class TurnMessage:
    """One message of ours in the thread of a turn."""

    def __init__(
        self,
        database: Database,
        messages: Messages,
        turn: Turn,
        kind: PostKind,
        *,
        number: int = 1,
    ) -> None:
        self._database = database
        self._messages = messages
        self._turn = turn
        self._kind = kind
        self._number = number
        self._final = Urgency.EXPLANATION if kind is PostKind.EXPLANATION else Urgency.FINAL
        self._post: Post | None = None
        self._ts: str | None = None
        self._looked = False
        self._shown = ""
        self._next_update = 0.0

    def is_posted(self) -> bool:
        """Whether the message is in the thread; the first call looks what others have saved."""
        if not self._looked:
            self._post = self._saved()
            self._looked = True
            if self._post and not self._ts:
                found = find(self._database, self._messages, self._turn, self._post)
                if found:
                    self.save_place(found)
        return self._ts is not None

    def begin(self) -> None:
        """Save that the message is about to be posted; nothing is posted before that."""
        if self._post is None:
            self._post = post_store.ensure(self._database, self._turn, self._kind, self._number)

    def has_room(self) -> bool:
        """Whether a message that is changed while we work would get through to its end."""
        return self._messages.has_room()

    @property
    def resumed(self) -> bool:
        """Whether another process was to post this before us."""
        self.is_posted()
        return self._post is not None and not self._post.new

    @property
    def post_id(self) -> str:
        """By which the message is found again."""
        return self._post.id if self._post else ""

    def save_place(self, ts: str) -> None:
        """Save the timestamp that Slack gave the message."""
        assert self._post is not None
        post_store.save_place(self._database, self._post.id, ts)
        self._ts = ts

    def post(
        self,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
        urgency: Urgency | None = None,
    ) -> None:
        """Post the message, unless it is in the thread already."""
        if self.is_posted():
            return
        self.begin()
        ts = self._messages.post(
            self._turn.address,
            text,
            blocks,
            self.post_id,
            shows=shows,
            urgency=urgency or self._final,
        )
        self.save_place(ts)
        self._shown = text
        self._next_update = time.monotonic() + UPDATE_EVERY_S

    def show_progress(self, text: str, blocks: Sequence[Block] = (), *, shows: Disclosure) -> None:
        """Update the message when the text is new and the rate limit allows it."""
        is_new = text and text != self._shown
        if not is_new or time.monotonic() < self._next_update:
            return
        self._next_update = time.monotonic() + UPDATE_EVERY_S
        try:
            self.update(text, blocks, shows=shows, urgency=Urgency.PROGRESS)
        except Dropped:
            return  # a later one shows more
        self._shown = text

    def finish(self, text: str, blocks: Sequence[Block], *, shows: Disclosure) -> None:
        """Show the final message; in plain text when Slack does not take the blocks."""
        show = self.update if self.is_posted() else self.post
        try:
            show(text, blocks, shows=shows)
        except SlackRefused as error:
            if error.code not in REFUSED_BLOCKS:
                raise
            log.error("slack.blocks_refused", turn=self._turn.id, error=error.code)
            show(text, shows=shows)

    def update(
        self,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
        urgency: Urgency | None = None,
    ) -> None:
        """Change text and blocks; blocks that an update leaves out would stay as they were."""
        channel, ts = self._turn.address.channel, self._ts or ""
        urgency = urgency or self._final
        try:
            self._messages.update(channel, ts, text, blocks, shows=shows, urgency=urgency)
        except SlackRefused as error:
            if error.code != STILL_STREAMING:
                raise
            # A process died in the middle of it.
            self._messages.end_stream(channel, ts)
            self._messages.update(channel, ts, text, blocks, shows=shows, urgency=urgency)

    def _saved(self) -> Post | None:
        for post in post_store.of_turn(self._database, self._turn.id):
            if (post.kind, post.number) == (self._kind, self._number):
                self._ts = post.ts
                return post
        return None


def find(database: Database, messages: Messages, turn: Turn, post: Post) -> str | None:
    """The timestamp of this post, if a process posted it and died before saving that.

    A stream carries no metadata before its end, so one of our own replies that no post stands for
    is taken for it. Where Slack lets us read no thread it is not found, and posted again: a rare
    second message beats one that never ends.
    """
    try:
        return _found(database, messages, turn, post)
    except SlackRefused as error:
        if error.code not in UNREADABLE:
            raise
        log.warning("turn_message.not_looked_for", turn=turn.id, error=error.code)
        metrics.UNREAD.labels(error.code).inc()
        return None


def _found(database: Database, messages: Messages, turn: Turn, post: Post) -> str | None:
    lost = None
    for reply in messages.replies(turn.address):
        if reply.post_id == post.id:
            return reply.ts
        if reply.post_id or (post.kind, post.number) != (PostKind.ANSWER, 1):
            continue
        if _is_unknown(database, messages, turn, reply):
            lost = reply.ts
    return lost


def _is_unknown(database: Database, messages: Messages, turn: Turn, reply: ThreadReply) -> bool:
    """Whether this is a message of ours that no post of ours stands for."""
    if not reply.bot_id:
        return False
    if post_store.at_place(database, turn.address.channel, reply.ts):
        return False
    return reply.bot_id == messages.own_bot_id()
