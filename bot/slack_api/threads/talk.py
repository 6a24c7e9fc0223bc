"""What people and the bot say in a Slack thread: read when it matters, and shortly replied to."""

from __future__ import annotations

from collections.abc import Iterator

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call
from bot.slack_api.capabilities import Capabilities
from bot.slack_api.errors import SlackRefused
from bot.slack_api.payloads import Payload, worded
from bot.slack_api.sender import Sender, Write
from core.access.disclosure import NOTHING
from core.dialogue.message import Line
from core.turns.turn import Address

MOST_READ = 200  # messages of a thread; the question is hardly further above
# docs.slack.dev/reference/methods/reactions.add#errors
REACTED = "already_reacted"


class SlackTalk:
    """Every method raises SlackError."""

    def __init__(self, client: WebClient, sender: Sender) -> None:
        self._client = client
        self._sender = sender
        self._capabilities = Capabilities()

    @slack_call()
    def above(self, where: Address, bot: str, *, since: str = "") -> tuple[Line, ...]:
        """What was said in the thread before this message, and after the one of this time.

        `bot` is our id as a user; what other bots say is left out.
        """
        found = self._client.conversations_replies(
            channel=where.channel,
            ts=where.thread_ts,
            oldest=since or "0",
            limit=MOST_READ,
        )
        messages = [each for each in found["messages"] if since < each["ts"] < where.ts]
        return tuple(_lines(messages, bot))

    @slack_call()
    def said_by(self, where: Address, user: str, *, since: float) -> str:
        """What this person has written in the thread since, in seconds since 1970."""
        found = self._client.conversations_replies(
            channel=where.channel, ts=where.thread_ts, oldest=f"{since:.6f}", limit=MOST_READ
        )
        theirs = [
            each
            for each in found["messages"]
            if each.get("user") == user and "bot_id" not in each and float(each["ts"]) > since
        ]
        return "\n".join(worded(each.get("text", ""), "") for each in theirs)

    def react(self, where: Address, name: str) -> bool:
        """Add a reaction to the message; False where Slack lets us add none."""
        try:
            added = self._capabilities.attempt(
                where.team,
                "reactions.add",
                lambda: self._sender.send(
                    Write.REACT,
                    shows=NOTHING,
                    channel=where.channel,
                    timestamp=where.ts,
                    name=name,
                ),
            )
        except SlackRefused as error:
            if error.code != REACTED:
                raise
            return True
        return added is not None

    @slack_call()
    def say(self, where: Address, sentence: str) -> None:
        """A sentence of ours in the thread; it quotes nothing."""
        self._sender.send(
            Write.POST,
            shows=NOTHING,
            channel=where.channel,
            thread_ts=where.thread_ts,
            text=sentence,
        )


def _lines(messages: list[Payload], bot: str) -> Iterator[Line]:
    for message in messages:
        user = message.get("user", "")
        if user == bot:
            yield Line(bot, "", by_bot=True)
        elif user and "bot_id" not in message:
            yield Line(user, worded(message.get("text", ""), bot))
