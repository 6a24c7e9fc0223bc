"""Posts a message once (outbox): saved in SQL, posted to Slack, then updated in place.

The post is written to SQL before it goes to Slack, and carries the post's id as message metadata:
its idempotency key. Whoever finds a post without a timestamp looks for it in Slack, so a process
killed at the worst moment causes no second message.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack_api.errors import REFUSED_BLOCKS, STILL_STREAMING, code
from bot.views.block_kit import Block
from bot.views.mrkdwn import truncate_bytes
from core import logs
from core.states import PostKind
from core.storage.database import Database
from core.turns import post_store
from core.turns.post_store import Post
from core.turns.turn import Turn

METADATA = "groundwire_post"
UPDATE_EVERY_S = 1.3  # the rate limit of chat.update is about 50 a minute
# Of the text of chat.update: docs.slack.dev/reference/methods/chat.update#errors, msg_too_long.
TEXT_BYTES = 4_000

log = logs.get(__name__)


class TurnMessage:
    """One message of ours in the thread of a turn."""

    def __init__(
        self, client: WebClient, database: Database, turn: Turn, kind: PostKind, number: int = 1
    ) -> None:
        self._client = client
        self._database = database
        self._turn = turn
        self._kind = kind
        self._number = number
        self._post: Post | None = None
        self._ts: str | None = None
        self._shown = ""
        self._next_update = 0.0

    def is_posted(self) -> bool:
        """Whether the message is in the thread; the first call saves that it is to be posted."""
        if self._post is None:
            self._post = post_store.ensure(self._database, self._turn, self._kind, self._number)
            self._ts = self._post.ts
            if self._ts is None and not self._post.new:
                found = find(self._client, self._database, self._turn, self._post)
                if found:
                    self.save_place(found)
        return self._ts is not None

    @property
    def resumed(self) -> bool:
        """Whether another process was to post this before us."""
        self.is_posted()
        return self._post is not None and not self._post.new

    @property
    def metadata(self) -> dict[str, Any]:
        """By which the message is found again."""
        post_id = self._post.id if self._post else ""
        return {"event_type": METADATA, "event_payload": {"post": post_id}}

    def save_place(self, ts: str) -> None:
        """Save the timestamp that Slack gave the message."""
        assert self._post is not None
        post_store.save_place(self._database, self._post.id, ts)
        self._ts = ts

    def post(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Post the message, unless it is in the thread already."""
        if self.is_posted():
            return
        reply = self._client.chat_postMessage(
            channel=self._turn.address.channel,
            thread_ts=self._turn.address.thread_ts,
            text=text,
            blocks=list(blocks) or None,
            metadata=self.metadata,
            unfurl_links=False,
            unfurl_media=False,
        )
        self.save_place(str(reply["ts"]))
        self._shown = text
        self._next_update = time.monotonic() + UPDATE_EVERY_S

    def show_progress(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Update the message when the text is new and the rate limit allows it."""
        is_new = text and text != self._shown
        if is_new and time.monotonic() >= self._next_update:
            self.update(text, blocks)
            self._shown = text
            self._next_update = time.monotonic() + UPDATE_EVERY_S

    def finish(self, text: str, blocks: Sequence[Block]) -> None:
        """Show the final message; in plain text when Slack does not take the blocks."""
        show = self.update if self.is_posted() else self.post
        try:
            show(text, blocks)
        except SlackApiError as error:
            if code(error) not in REFUSED_BLOCKS:
                raise
            log.error("slack.blocks_refused", turn=self._turn.id, error=code(error))
            show(text)

    def update(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Change text and blocks; blocks that an update leaves out would stay as they were."""
        try:
            self._chat_update(text, blocks)
        except SlackApiError as error:
            if code(error) != STILL_STREAMING:
                raise
            # A process died in the middle of it.
            channel = self._turn.address.channel
            self._client.chat_stopStream(channel=channel, ts=self._ts or "")
            self._chat_update(text, blocks)

    def _chat_update(self, text: str, blocks: Sequence[Block]) -> None:
        self._client.chat_update(
            channel=self._turn.address.channel,
            ts=self._ts or "",
            text=truncate_bytes(text, TEXT_BYTES),
            blocks=list(blocks),
        )


def find(client: WebClient, database: Database, turn: Turn, post: Post) -> str | None:
    """The timestamp of this post, if a process posted it and died before saving that.

    A stream carries no metadata before its end, so one of our own replies that no post stands for
    is taken for it.
    """
    lost = None
    for message in _replies(client, turn):
        metadata = message.get("metadata", {})
        post_id = metadata.get("event_payload", {}).get("post")
        if post_id == post.id:
            return str(message["ts"])
        if post_id or (post.kind, post.number) != (PostKind.ANSWER, 1):
            continue
        if _is_unknown(client, database, turn, message):
            lost = str(message["ts"])
    return lost


def _replies(client: WebClient, turn: Turn) -> Iterator[dict[str, Any]]:
    where = turn.address
    pages = client.conversations_replies(
        channel=where.channel,
        ts=where.thread_ts,
        oldest=where.ts,  # in a long thread, what is before the question is of no interest
        include_all_metadata=True,
        limit=200,
    )
    for page in pages:
        for message in page["messages"]:
            if message["ts"] != where.thread_ts:
                yield message


def _is_unknown(client: WebClient, database: Database, turn: Turn, message: dict[str, Any]) -> bool:
    """Whether this is a message of ours that no post of ours stands for."""
    if "bot_id" not in message:
        return False
    if post_store.at_place(database, turn.address.channel, message["ts"]):
        return False
    ours = client.auth_test().get("bot_id")
    return bool(message["bot_id"] == ours)
