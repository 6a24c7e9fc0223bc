"""The only way out to Slack: the outbox lets it go, the gate is asked, and the lease looked at.

Nobody else calls a method of Slack's client that writes; tests/bot/test_one_way_out.py reads the
code for that.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot import metrics
from bot.gate import Gate
from bot.slack_api.calls import code, retry_after_s
from bot.slack_api.client import repeating
from bot.slack_api.errors import RATE_LIMITED, Unconfirmed
from bot.slack_api.outbox.outbox import Outbox, no_room
from bot.slack_api.outbox.tiers import CallLimit, limits
from bot.slack_api.outbox.urgency import Urgency
from core import logs
from core.access.disclosure import Disclosure
from core.jobs import leases
from core.logs import tracing

MOST_TRIES = 5  # of a call that Slack answers with 429; the outbox waits in between

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


URGENCY = {
    Write.POST: Urgency.FINAL,
    Write.UPDATE: Urgency.FINAL,
    Write.DELETE: Urgency.FINAL,
    Write.EPHEMERAL: Urgency.FIRST,
    Write.START_STREAM: Urgency.PROGRESS,
    Write.APPEND_STREAM: Urgency.PROGRESS,
    Write.STOP_STREAM: Urgency.FINAL,
    Write.OPEN_VIEW: Urgency.FIRST,
    Write.UPDATE_VIEW: Urgency.EXPLANATION,
    Write.PUBLISH_VIEW: Urgency.FIRST,
    Write.STATUS: Urgency.COURTESY,
    Write.PROMPTS: Urgency.COURTESY,
    Write.SESSION: Urgency.COURTESY,
    Write.UPLOAD: Urgency.EXPLANATION,
    Write.REACT: Urgency.FIRST,
    Write.DELETE_FILE: Urgency.EXPLANATION,
}


class Sender:
    """Sends what may be shown to its readers now, when Slack's limits have room for it."""

    def __init__(self, client: WebClient, gate: Gate, outbox: Outbox) -> None:
        self._client = client
        self._gate = gate
        self._outbox = outbox

    def send(
        self,
        write: Write,
        *,
        shows: Disclosure,
        urgency: Urgency | None = None,
        **arguments: Any,
    ) -> SlackResponse:
        """Call a method of Slack's; what Slack refuses with a 429 is tried again if it may wait.

        Raises:
            Dropped: there is no room for it, and it may not wait for any.
            LeaseLost: somebody else works on this by now.
            Unconfirmed: the gate has stopped it, and Slack has heard nothing.
            SlackRefused: `ratelimited`, there is no room for so long; somebody tries again later.
            SlackClientError: of slack_sdk; see bot.slack_api.calls.
        """
        urgency = urgency or URGENCY[write]
        limited_by = _limits(write, arguments)
        for _ in range(MOST_TRIES):
            self._outbox.wait(limited_by, urgency)
            self._check(shows, write)
            leases.check_held()
            try:
                return self._call(write, shows, arguments)
            except SlackApiError as error:
                if code(error) != RATE_LIMITED:
                    raise
                self._outbox.refused(limited_by, retry_after_s(error))
        raise no_room(urgency, limited_by)

    def has_room(self, write: Write, *, urgency: Urgency | None = None, **arguments: Any) -> bool:
        """Whether a call of this urgency would go at once."""
        return self._outbox.has_room(_limits(write, arguments), urgency or URGENCY[write])

    def _call(self, write: Write, shows: Disclosure, arguments: dict[str, Any]) -> SlackResponse:
        call: Callable[..., SlackResponse] = getattr(self._client, write.value)
        may_repeat = lambda: leases.are_held() and not self._gate.stale(shows)  # noqa: E731
        with tracing.span(f"slack {write}"), repeating(may_repeat):
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


def _limits(write: Write, arguments: dict[str, Any]) -> tuple[CallLimit, ...]:
    channel = arguments.get("channel") or arguments.get("channel_id", "")
    return limits(write.value.replace("_", "."), channel)
