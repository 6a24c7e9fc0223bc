"""Messages in Slack: posted, updated, listed and deleted, one call each; when is the outbox's."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack_api.calls import code, retry_after_s, slack_call
from bot.slack_api.errors import RATE_LIMITED
from bot.slack_api.outbox.urgency import Urgency
from bot.slack_api.sender import Sender, Write
from bot.slack_api.threads.thread_reply import ThreadReply
from bot.views.block_kit import Block
from bot.views.mrkdwn import truncate_bytes
from core.access.disclosure import NOTHING, Disclosure
from core.turns.turn import Address

METADATA = "groundwire_post"
# Of the text of chat.update: docs.slack.dev/reference/methods/chat.update#errors, msg_too_long.
UPDATE_BYTES = 4_000
LIMITED_S = 30.0  # for which a limit of conversations.replies is waited for


class SlackMessages:
    """Every method raises SlackError."""

    def __init__(self, client: WebClient, sender: Sender) -> None:
        self._client = client
        self._sender = sender

    @slack_call()
    def post(
        self,
        address: Address,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        *,
        shows: Disclosure,
        urgency: Urgency = Urgency.FINAL,
    ) -> str:
        """Post into the thread; the timestamp that Slack gives the message."""
        reply = self._sender.send(
            Write.POST,
            shows=shows,
            urgency=urgency,
            channel=address.channel,
            thread_ts=address.thread_ts,
            text=text,
            blocks=list(blocks) or None,
            metadata=metadata(post_id),
            unfurl_links=False,
            unfurl_media=False,
        )
        return str(reply["ts"])

    @slack_call()
    def post_to(
        self,
        user: str,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        *,
        shows: Disclosure,
    ) -> tuple[str, str]:
        """Post into the direct messages with somebody: their channel, and the timestamp."""
        reply = self._sender.send(
            Write.POST,
            shows=shows,
            channel=user,
            text=text,
            blocks=list(blocks) or None,
            metadata=metadata(post_id),
            unfurl_links=False,
            unfurl_media=False,
        )
        return str(reply["channel"]), str(reply["ts"])

    @slack_call()
    def update(
        self,
        channel: str,
        ts: str,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
        urgency: Urgency = Urgency.FINAL,
    ) -> None:
        self._sender.send(
            Write.UPDATE,
            shows=shows,
            urgency=urgency,
            channel=channel,
            ts=ts,
            text=truncate_bytes(text, UPDATE_BYTES),
            blocks=list(blocks),
        )

    def has_room(self) -> bool:
        """Whether Slack would take updates of one more message now."""
        return self._sender.has_room(Write.UPDATE, urgency=Urgency.PROGRESS)

    @slack_call()
    def end_stream(self, channel: str, ts: str) -> None:
        """Make a message that still streams one like any other."""
        self._sender.send(Write.STOP_STREAM, shows=NOTHING, channel=channel, ts=ts)

    @slack_call()
    def delete(self, channel: str, ts: str) -> None:
        self._sender.send(Write.DELETE, shows=NOTHING, channel=channel, ts=ts)

    @slack_call()
    def delete_file(self, file: str) -> None:
        self._sender.send(Write.DELETE_FILE, shows=NOTHING, file=file)

    def replies(self, address: Address) -> Iterator[ThreadReply]:
        """The messages of the thread since this one, without the thread's first."""
        with slack_call():
            for page in self._thread(address):
                for message in page["messages"]:
                    if message["ts"] != address.thread_ts:
                        yield _reply(message)

    @slack_call()
    def direct(self, user: str, since: float) -> list[tuple[str, ThreadReply]]:
        """What was said in the direct messages with somebody, and in which channel.

        Only a recovery asks for it.
        """
        found: list[tuple[str, ThreadReply]] = []
        for page in self._client.users_conversations(types="im", limit=200):
            for channel in page["channels"]:
                if channel.get("user") == user:
                    found += self._said(str(channel["id"]), since)
        return found

    def _said(self, channel: str, since: float) -> Iterator[tuple[str, ThreadReply]]:
        pages = self._client.conversations_history(
            channel=channel, oldest=f"{since:.6f}", include_all_metadata=True, limit=200
        )
        for page in pages:
            for message in page["messages"]:
                yield channel, _reply(message)

    def _thread(self, address: Address) -> list[SlackResponse]:
        """All pages. Only a recovery reads them, so a rate limit is waited for, a little."""
        until = time.monotonic() + LIMITED_S
        while True:
            try:
                pages = self._client.conversations_replies(
                    channel=address.channel,
                    ts=address.thread_ts,
                    oldest=address.ts,  # what is before the question is of no interest
                    include_all_metadata=True,
                    limit=200,
                )
                return list(pages)
            except SlackApiError as error:
                wait_s = retry_after_s(error)
                if code(error) != RATE_LIMITED or time.monotonic() + wait_s > until:
                    raise
                time.sleep(wait_s)

    @slack_call()
    def own_bot_id(self) -> str:
        return str(self._client.auth_test().get("bot_id"))


def metadata(post_id: str) -> dict[str, Any]:
    """By which a message is found again."""
    return {"event_type": METADATA, "event_payload": {"post": post_id}}


def _reply(message: dict[str, Any]) -> ThreadReply:
    sent_with = message.get("metadata", {}).get("event_payload", {})
    return ThreadReply(
        ts=str(message["ts"]),
        bot_id=message.get("bot_id", ""),
        post_id=sent_with.get("post") or "",
    )
