"""How the bot says something once: a placeholder whose place is saved, then updates of that same message.

The post is written to SQL before Slack is asked to show it, and carries the post's id as message metadata. Whoever finds a post
without a place asks Slack whether it stands there, so a speaker killed at the worst moment does not make a second message.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.kit import Block
from bot.mrkdwn import within_bytes
from core import conversations, logs
from core.conversations import Turn
from core.database import Database

METADATA = "groundwire_post"
UPDATE_EVERY_S = 1.3  # chat.update allows about 50 a minute
TEXT_BYTES = 4_000  # of the text of chat.update: docs.slack.dev/reference/methods/chat.update#errors, msg_too_long
REFUSED_BLOCKS = {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"}
# Nobody will ever read a message there, so there is no use in trying again.
GONE = {
    "channel_not_found",
    "is_archived",
    "not_in_channel",
    "message_not_found",
    "thread_not_found",
    "cant_update_message",
    "restricted_action",
}

log = logs.get(__name__)


class Voice:
    """One message of ours in the thread of a turn."""

    def __init__(self, client: WebClient, database: Database, turn: Turn, kind: str) -> None:
        self._client = client
        self._database = database
        self._turn = turn
        self._kind = kind
        self._ts: str | None = None
        self._said = ""
        self._next_update = 0.0

    def open(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Make sure that the message stands in the thread."""
        post = conversations.post(self._database, self._turn, self._kind)
        self._ts = post.ts or (None if post.new else find(self._client, self._turn, post.id))
        if self._ts is None:
            reply = self._client.chat_postMessage(
                channel=self._turn.address.channel,
                thread_ts=self._turn.address.thread_ts,
                text=text,
                blocks=list(blocks) or None,
                metadata={"event_type": METADATA, "event_payload": {"post": post.id}},
                unfurl_links=False,
                unfurl_media=False,
            )
            self._ts = str(reply["ts"])
            self._said = text
            self._next_update = time.monotonic() + UPDATE_EVERY_S
        if post.ts is None:
            conversations.save_post_ts(self._database, post.id, self._ts)

    def progress(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Show how far it is, unless there is nothing to say, it was said already or too little time has passed."""
        if text and text != self._said and time.monotonic() >= self._next_update:
            self.change(text, blocks)
            self._said = text
            self._next_update = time.monotonic() + UPDATE_EVERY_S

    def finish(self, text: str, blocks: Sequence[Block]) -> None:
        """Show the final message; in plain text when Slack does not take the blocks."""
        try:
            self.change(text, blocks)
        except SlackApiError as error:
            if code(error) not in REFUSED_BLOCKS:
                raise
            log.error("slack.blocks_refused", turn=self._turn.id, error=code(error))
            self.change(text)

    def change(self, text: str, blocks: Sequence[Block] = ()) -> None:
        """Change text and blocks; blocks that an update leaves out would stay as they were."""
        shown = within_bytes(text, TEXT_BYTES)
        self._client.chat_update(channel=self._turn.address.channel, ts=self._ts or "", text=shown, blocks=list(blocks))


def find(client: WebClient, turn: Turn, post_id: str) -> str | None:
    """Where this post stands, if somebody posted it and died before saying where."""
    where = turn.address  # in a long thread, what stands before the question is of no interest
    pages = client.conversations_replies(channel=where.channel, ts=where.thread_ts, oldest=where.ts, include_all_metadata=True, limit=200)
    for page in pages:
        for message in page["messages"]:
            if message.get("metadata", {}).get("event_payload", {}).get("post") == post_id:
                return str(message["ts"])
    return None


def is_gone(error: SlackApiError) -> bool:
    """Whether there is no place left to say anything."""
    return code(error) in GONE


def code(error: SlackApiError) -> str:
    """Slack's name for what went wrong; empty when the reply was none of Slack's, such as the page of a proxy."""
    return str(error.response.get("error", ""))
