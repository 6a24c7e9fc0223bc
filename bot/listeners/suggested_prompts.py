"""Suggested prompts for whoever opens the direct messages with the bot.

They name what everybody may read, once a worker has asked the sources whether that is still so. For
an agent they are set without a thread:
docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts. In a workspace without
agents nothing is suggested.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from slack_bolt import App, BoltContext

from bot import voices
from bot.access.locales import Locales
from bot.gate import Gate
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.errors import SlackError
from bot.slack_api.payloads import Payload
from bot.views.mrkdwn import sanitize, truncate
from core import logs
from core.access.index_overview import MOST_EXAMPLES, ExamplePage, disclosed, examples
from core.jobs.queue import TaskName, confirm_examples
from core.language.sentences import Sentences
from core.storage import clock
from core.storage.database import Database

EVERY_S = 3600.0  # suggestions change with the pages, which nobody notices sooner
TITLE_LIMIT = 75
MOST_KNOWN = 10_000  # people whose last suggestions are remembered

log = logs.get(__name__)


class SuggestedPrompts:
    """Has them set once an hour for each channel."""

    def __init__(self, locales: Locales) -> None:
        self._locales = locales
        self._lock = threading.Lock()
        self._set_at: dict[str, float] = {}  # by channel

    def register(self, app: App) -> None:
        app.event("app_home_opened", matchers=[_is_messages])(self.opened)

    def opened(self, event: Payload, context: BoltContext) -> None:
        channel, user, team = event["channel"], event["user"], context.team_id or ""
        with self._lock:  # two events of one channel are handled by two threads
            is_due = self._is_due(channel, clock.now())
        if is_due:
            self._locales.learn(team, user)  # nothing has to open at once
            confirm_examples(TaskName.SUGGEST_PROMPTS, team, user, channel)

    def _is_due(self, channel: str, now: float) -> bool:
        """Whether this is the first time within the hour; it is remembered."""
        if self._set_at.get(channel, 0.0) > now - EVERY_S:
            return False
        if len(self._set_at) >= MOST_KNOWN:
            self._set_at.clear()
        self._set_at[channel] = now
        return True


class Prompts:
    """Sets the suggested prompts whose pages are confirmed."""

    def __init__(
        self,
        database: Database,
        assistant: SlackAssistant,
        gate: Gate,
        is_outsider: Callable[[str, str], bool],
    ) -> None:
        self._is_outsider = is_outsider
        self._database = database
        self._assistant = assistant
        self._gate = gate

    def suggest(self, team: str, user: str, channel: str) -> None:
        if self._is_outsider(team, user):
            return
        found = examples(self._database, MOST_EXAMPLES)
        stale = self._gate.stale(disclosed((), found))
        named = [each for each in found if each.pages.isdisjoint(stale)]
        if not named:
            return
        say = voices.to(self._database, team, user)
        prompts = [_prompt(say, each) for each in named]
        shows = disclosed((), named)
        try:
            self._assistant.suggest(team, channel, say("prompts"), prompts, shows=shows)
        except SlackError as error:
            log.warning("prompts.not_set", channel=channel, error=str(error))


def _is_messages(event: Payload) -> bool:
    return event.get("tab") == "messages"


def _prompt(say: Sentences, example: ExamplePage) -> dict[str, str]:
    """The message is sent as the person's own, so page text in it must call nobody."""
    question = sanitize(say("example", title=example.title, heading=example.heading))
    return {"title": truncate(question, TITLE_LIMIT), "message": question}
