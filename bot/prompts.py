"""Questions that are suggested to whoever opens the direct messages with the bot.

They name what everybody may read, so they give nothing away. For an agent they are set without a thread:
docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts. A workspace without agents does not know the method; then
nothing is suggested, and it is not asked again before the next start.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_bolt import App
from slack_sdk.errors import SlackApiError, SlackClientError

from bot import messages
from bot.mrkdwn import quiet, within
from bot.parts import Parts
from bot.payloads import Payload
from bot.speak import code
from core import logs
from core.overview import examples

EVERY_S = 3600.0  # suggestions change with the pages, which nobody notices sooner
MOST = 4  # Slack takes no more
TITLE_LIMIT = 60
MOST_KNOWN = 10_000  # people whose last suggestions are remembered
UNKNOWN = {"unknown_method", "method_deprecated", "missing_scope", "not_allowed_token_type", "access_denied", "feature_not_enabled"}

log = logs.get(__name__)


class Prompts:
    """Plain methods, as in bot.listeners."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._is_known = True  # whether this workspace knows the method
        self._set_at: dict[str, float] = {}  # by channel
        self._made: tuple[float, Sequence[dict[str, str]]] = (0.0, ())

    def register(self, app: App) -> None:
        app.event("app_home_opened", matchers=[_is_messages])(self.opened)

    def opened(self, event: Payload) -> None:
        channel, now = event["channel"], time.time()
        if not self._is_known or self._set_at.get(channel, 0.0) > now - EVERY_S:
            return
        if prompts := self._prompts(now):
            self._remember(channel, now)
            self._suggest(channel, prompts)

    def _prompts(self, now: float) -> Sequence[dict[str, str]]:
        """Made seldom, whoever comes."""
        made_at, made = self._made
        if not made or made_at < now - EVERY_S:
            made = [_prompt(title, heading) for title, heading in examples(self._parts.database, MOST)]
            self._made = now, made
        return made

    def _remember(self, channel: str, now: float) -> None:
        if len(self._set_at) >= MOST_KNOWN:
            self._set_at.clear()
        self._set_at[channel] = now

    def _suggest(self, channel: str, prompts: Sequence[dict[str, str]]) -> None:
        try:
            self._parts.client.assistant_threads_setSuggestedPrompts(channel_id=channel, title=messages.PROMPTS, prompts=list(prompts))
        except SlackApiError as error:
            self._is_known = code(error) not in UNKNOWN
            log.warning("prompts.not_set", channel=channel, error=code(error), again=self._is_known)
        except (SlackClientError, OSError) as error:
            log.warning("prompts.not_set", channel=channel, error=str(error), again=True)


def _is_messages(event: Payload) -> bool:
    return event.get("tab") == "messages"


def _prompt(title: str, heading: str) -> dict[str, str]:
    """The message is sent as the person's own, so page text in it must call nobody."""
    question = quiet(messages.prompt(title, heading))
    return {"title": within(quiet(heading), TITLE_LIMIT), "message": question}
