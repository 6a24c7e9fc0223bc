"""What was said in Slack's channels and threads: read page by page, as slowly as Slack wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackRefused, SlackUnreachable
from bot.slack_api.payloads import Payload
from core import logs

# Tier 3, 50 a minute: docs.slack.dev/reference/methods/conversations.history. Apps that are sold
# outside Slack's Marketplace get one call a minute and 15 messages a call; those of one's own
# organization are not meant: docs.slack.dev/apis/web-api/rate-limits
PAUSE_S = 1.2
LIMITED_S = 60.0  # the pause after a refusal that names none
PAGE = 200  # messages
MOST_PAGES = 10  # of a channel, for threads that began before the gap

# Each kind needs a scope of its own: channels:read, groups:read, mpim:read, im:read.
KINDS = ("im", "public_channel", "private_channel", "mpim")

log = logs.get(__name__)


@dataclass(frozen=True)
class BotChannel:
    """A channel, or direct messages, that the bot is in."""

    channel: str
    direct: bool


class SlackHistory:
    """Every method raises SlackError; a rate limit is waited for instead.

    `rest` sleeps for so many seconds; true: the program ends, and nothing more is asked.
    """

    def __init__(self, client: WebClient, rest: Callable[[float], bool], pause_s: float = PAUSE_S):
        self._client = client
        self._rest = rest
        self._pause_s = pause_s

    @slack_call()
    def who_we_are(self) -> tuple[str, str]:
        """Our workspace, and our id as a user."""
        found = self._client.auth_test()
        return str(found["team_id"]), str(found["user_id"])

    def places(self) -> Iterator[BotChannel]:
        """Where the bot is; a kind of channel that Slack does not list for us is left out."""
        for kind in KINDS:
            try:
                for channel in self._listed(kind):
                    yield BotChannel(channel, direct=kind == "im")
            except SlackRefused as error:
                log.warning("history.not_listed", kind=kind, error=error.code)

    def channel(self, channel: str, *, since: float, threads_since: float) -> Iterator[Payload]:
        """All that was said since, the newest first; before it, messages that may have replies.

        Those before are read as far as MOST_PAGES go.
        """
        pages = self._pages(
            lambda cursor: self._client.conversations_history(
                channel=channel, oldest=f"{threads_since:.6f}", limit=PAGE, cursor=cursor
            )
        )
        for number, page in enumerate(pages, 1):
            yield from page["messages"]
            if number >= MOST_PAGES and float(page["messages"][-1]["ts"]) < since:
                log.warning("history.cut", channel=channel, pages=number)
                return

    def thread(self, channel: str, thread_ts: str, *, since: float) -> Iterator[Payload]:
        """The replies since; a thread that is gone has none."""
        pages = self._pages(
            lambda cursor: self._client.conversations_replies(
                channel=channel, ts=thread_ts, oldest=f"{since:.6f}", limit=PAGE, cursor=cursor
            )
        )
        for page in pages:
            for message in page["messages"]:
                if message["ts"] != thread_ts:
                    yield message

    def _listed(self, kind: str) -> Iterator[str]:
        pages = self._pages(
            lambda cursor: self._client.users_conversations(
                types=kind, exclude_archived=True, limit=PAGE, cursor=cursor
            )
        )
        for page in pages:
            for each in page["channels"]:
                yield str(each["id"])

    def _pages(self, call: Callable[[str], Any]) -> Iterator[Any]:
        cursor = ""
        while True:
            page = self._asked(call, cursor)
            if page.get("messages") or page.get("channels"):
                yield page
            cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return

    def _asked(self, call: Callable[[str], Any], cursor: str) -> Any:
        wait_s = self._pause_s
        while not self._rest(wait_s):
            try:
                with slack_call():
                    return call(cursor)
            except SlackRefused as refused:
                if refused.code != "ratelimited":
                    raise
                wait_s = _retry_after_s(refused)
                log.info("history.waits", seconds=wait_s)
        raise SlackUnreachable("the program ends")


def _retry_after_s(refused: SlackRefused) -> float:
    cause = refused.__cause__
    assert isinstance(cause, SlackApiError)
    given = str(cause.response.headers.get("Retry-After") or "")
    return float(given) if given.isdigit() else LIMITED_S
