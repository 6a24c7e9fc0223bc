"""Questions that are suggested to whoever opens the direct messages with the bot.

They name what everybody may read, so they give nothing away. For an agent they are set without a thread:
docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts. In a workspace without agents nothing is suggested.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from slack_bolt import App, BoltContext
from slack_sdk.errors import SlackClientError

from bot.home.index_overview import examples
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import messages
from bot.views.mrkdwn import quiet, within
from core import logs

EVERY_S = 3600.0  # suggestions change with the pages, which nobody notices sooner
MOST = 4  # Slack takes no more
TITLE_LIMIT = 60
MOST_KNOWN = 10_000  # people whose last suggestions are remembered
METHOD = "assistant.threads.setSuggestedPrompts"

log = logs.get(__name__)


class SuggestedPrompts:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts) -> None:
        self._parts = parts
        self._one = threading.Lock()
        self._set_at: dict[str, float] = {}  # by channel
        self._made: tuple[float, Sequence[dict[str, str]]] = (0.0, ())

    def register(self, app: App) -> None:
        app.event("app_home_opened", matchers=[_is_messages])(self.opened)

    def opened(self, event: Payload, context: BoltContext) -> None:
        channel = event["channel"]
        with self._one:  # who opens it twice is heard by two threads
            prompts = self._wanted(channel, time.time())
        if prompts:
            self._suggest(context.team_id or "", channel, prompts)

    def _wanted(self, channel: str, now: float) -> Sequence[dict[str, str]]:
        """What is to be suggested there now; nothing when it was a while ago."""
        if self._set_at.get(channel, 0.0) > now - EVERY_S:
            return ()
        if prompts := self._prompts(now):
            self._remember(channel, now)
        return prompts

    def _prompts(self, now: float) -> Sequence[dict[str, str]]:
        """Made seldom, whoever comes."""
        made_at, made = self._made
        if not made or made_at < now - EVERY_S:
            made = [
                _prompt(title, heading) for title, heading in examples(self._parts.database, MOST)
            ]
            self._made = now, made
        return made

    def _remember(self, channel: str, now: float) -> None:
        if len(self._set_at) >= MOST_KNOWN:
            self._set_at.clear()
        self._set_at[channel] = now

    def _suggest(self, team: str, channel: str, prompts: Sequence[dict[str, str]]) -> None:
        client, suggested = self._parts.client, list(prompts)
        try:
            self._parts.newer.attempt(
                team,
                METHOD,
                lambda: client.assistant_threads_setSuggestedPrompts(
                    channel_id=channel, title=messages.home.PROMPTS, prompts=suggested
                ),
            )
        except (SlackClientError, OSError) as error:
            log.warning("prompts.not_set", channel=channel, error=str(error))


def _is_messages(event: Payload) -> bool:
    return event.get("tab") == "messages"


def _prompt(title: str, heading: str) -> dict[str, str]:
    """The message is sent as the person's own, so page text in it must call nobody."""
    question = quiet(messages.home.example(title, heading))
    return {"title": within(quiet(heading), TITLE_LIMIT), "message": question}
