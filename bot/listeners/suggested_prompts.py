"""Suggested prompts for whoever opens the direct messages with the bot.

They name what everybody may read, so they give nothing away. For an agent they are set without a
thread: docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts. In a workspace
without agents nothing is suggested.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from slack_bolt import App, BoltContext

from bot.home.index_overview import examples
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.errors import SlackError
from bot.slack_api.payloads import Payload
from bot.views import messages
from bot.views.mrkdwn import sanitize, truncate
from core import logs
from core.storage.database import Database

EVERY_S = 3600.0  # suggestions change with the pages, which nobody notices sooner
MOST = 4  # Slack takes no more
TITLE_LIMIT = 60
MOST_KNOWN = 10_000  # people whose last suggestions are remembered

log = logs.get(__name__)


class SuggestedPrompts:
    """Sets them once an hour for each channel; they are made once an hour for all."""

    def __init__(self, database: Database, assistant: SlackAssistant) -> None:
        self._database = database
        self._assistant = assistant
        self._lock = threading.Lock()
        self._set_at: dict[str, float] = {}  # by channel
        self._prompts: list[dict[str, str]] = []
        self._made_at = 0.0

    def register(self, app: App) -> None:
        app.event("app_home_opened", matchers=[_is_messages])(self.opened)

    def opened(self, event: Payload, context: BoltContext) -> None:
        channel = event["channel"]
        with self._lock:  # two events of one channel are handled by two threads
            prompts = self._wanted(channel, time.time())
        if prompts:
            self._suggest(context.team_id or "", channel, prompts)

    def _wanted(self, channel: str, now: float) -> Sequence[dict[str, str]]:
        """What to suggest there now; nothing when that was done within the hour."""
        if self._set_at.get(channel, 0.0) > now - EVERY_S:
            return ()
        if not self._prompts or self._made_at < now - EVERY_S:
            found = examples(self._database, MOST)
            self._prompts = [_prompt(title, heading) for title, heading in found]
            self._made_at = now
        if self._prompts:
            self._remember(channel, now)
        return self._prompts

    def _remember(self, channel: str, now: float) -> None:
        if len(self._set_at) >= MOST_KNOWN:
            self._set_at.clear()
        self._set_at[channel] = now

    def _suggest(self, team: str, channel: str, prompts: Sequence[dict[str, str]]) -> None:
        try:
            self._assistant.suggest(team, channel, messages.home.PROMPTS, prompts)
        except SlackError as error:
            log.warning("prompts.not_set", channel=channel, error=str(error))


def _is_messages(event: Payload) -> bool:
    return event.get("tab") == "messages"


def _prompt(title: str, heading: str) -> dict[str, str]:
    """The message is sent as the person's own, so page text in it must call nobody."""
    question = sanitize(messages.home.example(title, heading))
    short = truncate(sanitize(heading), TITLE_LIMIT)
    return {"title": short, "message": question}
