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

from bot import voices
from bot.access.locales import Locales
from bot.access.turn_access import TurnAccess
from bot.home.index_overview import examples
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.errors import SlackError
from bot.slack_api.payloads import Payload
from bot.views.mrkdwn import sanitize, truncate
from core import logs
from core.language.sentences import Sentences
from core.storage.database import Database

EVERY_S = 3600.0  # suggestions change with the pages, which nobody notices sooner
MOST = 4  # Slack takes no more
TITLE_LIMIT = 60
MOST_KNOWN = 10_000  # people whose last suggestions are remembered

log = logs.get(__name__)


class SuggestedPrompts:
    """Sets them once an hour for each channel; their pages are found once an hour for all."""

    def __init__(
        self,
        database: Database,
        assistant: SlackAssistant,
        *,
        locales: Locales,
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._assistant = assistant
        self._locales = locales
        self._lock = threading.Lock()
        self._set_at: dict[str, float] = {}  # by channel
        self._examples: Sequence[tuple[str, str]] = ()
        self._made_at = 0.0

    def register(self, app: App) -> None:
        app.event("app_home_opened", matchers=[_is_messages])(self.opened)

    def opened(self, event: Payload, context: BoltContext) -> None:
        channel = event["channel"]
        if self._access.is_outsider(context.team_id or "", event["user"]):
            return
        with self._lock:  # two events of one channel are handled by two threads
            found = self._wanted(channel, time.time())
        if found:
            team = context.team_id or ""
            self._locales.learn(team, event["user"])  # nothing has to open at once
            say = voices.to(self._database, team, event["user"])
            self._suggest(say, team, channel, found)

    def _wanted(self, channel: str, now: float) -> Sequence[tuple[str, str]]:
        """What to suggest there now; nothing when that was done within the hour."""
        if self._set_at.get(channel, 0.0) > now - EVERY_S:
            return ()
        if not self._examples or self._made_at < now - EVERY_S:
            self._examples = examples(self._database, MOST)
            self._made_at = now
        if self._examples:
            self._remember(channel, now)
        return self._examples

    def _remember(self, channel: str, now: float) -> None:
        if len(self._set_at) >= MOST_KNOWN:
            self._set_at.clear()
        self._set_at[channel] = now

    def _suggest(
        self, say: Sentences, team: str, channel: str, found: Sequence[tuple[str, str]]
    ) -> None:
        prompts = [_prompt(say, title, heading) for title, heading in found]
        try:
            self._assistant.suggest(team, channel, say("prompts"), prompts)
        except SlackError as error:
            log.warning("prompts.not_set", channel=channel, error=str(error))


def _is_messages(event: Payload) -> bool:
    return event.get("tab") == "messages"


def _prompt(say: Sentences, title: str, heading: str) -> dict[str, str]:
    """The message is sent as the person's own, so page text in it must call nobody."""
    question = sanitize(say("example", title=title, heading=heading))
    short = truncate(sanitize(heading), TITLE_LIMIT)
    return {"title": short, "message": question}
