"""How the bot says something once: a placeholder whose place is saved, then updates of that same message.

The post is written to SQL before Slack is asked to show it, and carries the post's id as message metadata. Whoever finds a post
without a place asks Slack whether it stands there, so a speaker killed at the worst moment does not make a second message.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack_api.errors import REFUSED_BLOCKS, STILL_STREAMING, code
from bot.views.block_kit import Block
from bot.views.mrkdwn import within_bytes
from core import logs
from core.storage.database import Database
from core.turns import post_store
from core.turns.post_store import Post
from core.turns.turn import Turn

METADATA = "groundwire_post"
ANSWER = "answer"  # the kind of an answer's message, of a long one the first; the others are answer-2, answer-3 …
UPDATE_EVERY_S = 1.3  # chat.update allows about 50 a minute
TEXT_BYTES = 4_000  # of the text of chat.update: docs.slack.dev/reference/methods/chat.update#errors, msg_too_long

log = logs.get(__name__)


class TurnMessage:
    """One message of ours in the thread of a turn."""

    def __init__(self, client: WebClient, database: Database, turn: Turn, kind: str) -> None:
        self._client = client
        self._database = database
        self._turn = turn
        self._kind = kind
        self._post: Post | None = None
        self._ts: str | None = None
        self._said = ""
        self._next_update = 0.0

    def stands(self) -> bool:
        """Whether the message stands in the thread; from the first such question on it is written down that it is to stand there."""
        if self._post is None:
            self._post = post_store.ensure(self._database, self._turn, self._kind)
            self._ts = self._post.ts
            if (
                not self._post.new
                and self._ts is None
                and (found := find(self._client, self._database, self._turn, self._post))
            ):
                self.stands_at(found)
        return self._ts is not None

    @property
    def resumed(self) -> bool:
        """Whether somebody was to say this before us."""
        self.stands()
        return self._post is not None and not self._post.new

    @property
    def metadata(self) -> dict[str, Any]:
        """By which the message is found again."""
        return {
            "event_type": METADATA,
            "event_payload": {"post": self._post.id if self._post else ""},
        }

    def stands_at(self, ts: str) -> None:
        """Remember where Slack has put it."""
        assert self._post is not None
        post_store.save_place(self._database, self._post.id, ts)
        self._ts = ts

    def open(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Make sure that the message stands in the thread."""
        if self.stands():
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
        self.stands_at(str(reply["ts"]))
        self._said = text
        self._next_update = time.monotonic() + UPDATE_EVERY_S

    def progress(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Show how far it is, unless there is nothing to say, it was said already or too little time has passed."""
        if text and text != self._said and time.monotonic() >= self._next_update:
            self.change(text, blocks)
            self._said = text
            self._next_update = time.monotonic() + UPDATE_EVERY_S

    def finish(self, text: str, blocks: Sequence[Block]) -> None:
        """Show the final message; in plain text when Slack does not take the blocks."""
        show = self.change if self.stands() else self.open
        try:
            show(text, blocks)
        except SlackApiError as error:
            if code(error) not in REFUSED_BLOCKS:
                raise
            log.error("slack.blocks_refused", turn=self._turn.id, error=code(error))
            show(text)

    def change(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Change text and blocks; blocks that an update leaves out would stay as they were."""
        try:
            self._update(text, blocks)
        except SlackApiError as error:
            if code(error) != STILL_STREAMING:
                raise
            self._client.chat_stopStream(
                channel=self._turn.address.channel, ts=self._ts or ""
            )  # somebody died in the middle of it
            self._update(text, blocks)

    def _update(self, text: str, blocks: Sequence[Block]) -> None:
        shown = within_bytes(text, TEXT_BYTES)
        self._client.chat_update(
            channel=self._turn.address.channel, ts=self._ts or "", text=shown, blocks=list(blocks)
        )


def find(client: WebClient, database: Database, turn: Turn, post: Post) -> str | None:
    """Where this post stands, if somebody posted it and died before saying where.

    A stream carries no metadata before its end, so one of our own replies that nobody knows is taken for it.
    """
    lost = None
    for message in _replies(client, turn):
        about = message.get("metadata", {}).get("event_payload", {}).get("post")
        if about == post.id:
            return str(message["ts"])
        if not about and post.kind == ANSWER and _is_unknown(client, database, turn, message):
            lost = str(message["ts"])
    return lost


def _replies(client: WebClient, turn: Turn) -> Iterator[dict[str, Any]]:
    where = turn.address  # in a long thread, what stands before the question is of no interest
    pages = client.conversations_replies(
        channel=where.channel,
        ts=where.thread_ts,
        oldest=where.ts,
        include_all_metadata=True,
        limit=200,
    )
    for page in pages:
        yield from (message for message in page["messages"] if message["ts"] != where.thread_ts)


def _is_unknown(client: WebClient, database: Database, turn: Turn, message: dict[str, Any]) -> bool:
    """Whether this is a message of ours that no post of ours stands for."""
    if "bot_id" not in message or post_store.at_place(
        database, turn.address.channel, message["ts"]
    ):
        return False
    return bool(message["bot_id"] == client.auth_test().get("bot_id"))
