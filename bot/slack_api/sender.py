"""The only way out to Slack: everything says which pages it gives away, and the gate is asked.

Nobody else calls a method of Slack's client that writes; tests/bot/test_one_way_out.py reads the
code for that.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from slack_sdk import WebClient
from slack_sdk.web import SlackResponse

from bot import metrics
from bot.gate import Gate
from bot.slack_api.client import repeating
from bot.slack_api.errors import Unconfirmed
from core import logs
from core.access.disclosure import Disclosure

log = logs.get(__name__)


class Write(StrEnum):
    """The methods that write, by their names in slack_sdk.WebClient."""

    POST = "chat_postMessage"
    UPDATE = "chat_update"
    DELETE = "chat_delete"
    EPHEMERAL = "chat_postEphemeral"
    START_STREAM = "chat_startStream"
    APPEND_STREAM = "chat_appendStream"
    STOP_STREAM = "chat_stopStream"
    OPEN_VIEW = "views_open"
    UPDATE_VIEW = "views_update"
    PUBLISH_VIEW = "views_publish"
    STATUS = "assistant_threads_setStatus"
    PROMPTS = "assistant_threads_setSuggestedPrompts"
    SESSION = "agents_sessions_setStatus"
    UPLOAD = "files_upload_v2"
    REACT = "reactions_add"
    DELETE_FILE = "files_delete"


class Sender:
    """Sends what may be shown to its readers now."""

    def __init__(self, client: WebClient, gate: Gate) -> None:
        self._client = client
        self._gate = gate

    def send(self, write: Write, *, shows: Disclosure, **arguments: Any) -> SlackResponse:
        """Call a method of Slack's.

        A repetition after a refusal asks the gate again: Slack may let us wait for a minute.

        Raises:
            Unconfirmed: the gate has stopped it, and Slack has heard nothing.
            SlackClientError: of slack_sdk; see bot.slack_api.calls.
        """
        self._check(shows, write)
        call: Callable[..., SlackResponse] = getattr(self._client, write.value)
        with repeating(lambda: not self._gate.stale(shows)):
            return call(**arguments)

    def acknowledge(self, ack: Callable[..., Any], *, shows: Disclosure, **reply: Any) -> None:
        """Reply to an interaction with what Slack shows at once: a text, or another view.

        Raises:
            Unconfirmed: as above.
        """
        self._check(shows, "acknowledge")
        ack(**reply)

    def _check(self, shows: Disclosure, call: str) -> None:
        stale = self._gate.stale(shows)
        if stale:
            metrics.STOPPED.labels(call).inc()
            pages = sorted(map(str, stale))
            log.warning("gate.stopped", call=call, pages=pages, audience=shows.audience)
            raise Unconfirmed(pages)
        age_s = self._gate.age_s(shows)
        if age_s is not None:
            metrics.CONFIRMED_AGE.observe(age_s)
