"""Shows in Slack that we work on a thread: its assistant status, and its agent session.

A failure here is logged and changes nothing. Slack shows one of them at a time, the one written
last (github.com/agentconnect-md/agentconnect/pull/1483), so the session comes last: with it comes
Slack's own Stop button (docs.slack.dev/ai/agent-sessions). A status vanishes after two minutes and
with every message of ours, so it is set again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from slack_sdk.web import SlackResponse

from bot.slack_api.errors import UNREACHABLE
from bot.slack_api.parts import BotParts
from bot.views import messages
from core import logs
from core.turns import thread_queue
from core.turns.turn import Turn

AGAIN_S = 45.0
SESSION = "agents.sessions.setStatus"
STATUS = "assistant.threads.setStatus"
# The warning of a session without a Stop button.
NO_BUTTON = "missing_agent_session_stopped_event_subscription"

log = logs.get(__name__)


class WorkStatus:
    """The status of one turn; leaving the block clears it, whatever happened inside."""

    def __init__(self, parts: BotParts, turn: Turn, *, again_s: float = AGAIN_S) -> None:
        self._parts = parts
        self._turn = turn
        self._again_s = again_s
        self._shown: str | None = None
        self._again_at = 0.0
        self.has_stop = False  # whether Slack shows a button to stop us

    def __enter__(self) -> WorkStatus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown is not None:
            self.clear()

    def inherit(self) -> None:
        """Take over from a process that may have died before clearing the status."""
        self._shown = ""

    def show(self, stage: str) -> None:
        """Show what we do, unless that was shown a moment ago."""
        if stage == self._shown and time.monotonic() < self._again_at:
            return
        self._shown = stage
        self._again_at = time.monotonic() + self._again_s
        other = messages.STATUSES[""]
        self._set_status(messages.STATUSES.get(stage, other))
        self.has_stop = self._set_session("processing")

    def mark_removed(self) -> None:
        """Slack clears the status when we post, so the next `show` is not held back."""
        self._again_at = 0.0

    def clear(self) -> None:
        """Clear the status, unless the thread's next question is being answered: then it is its."""
        head = thread_queue.head(self._parts.database, self._turn.address)
        if head in (None, self._turn.id):
            self._set_status("")
            self._set_session("active")

    def _set_status(self, text: str) -> None:
        client, where = self._parts.client, self._turn.address
        self._attempt(
            STATUS,
            lambda: client.assistant_threads_setStatus(
                channel_id=where.channel,
                thread_ts=where.thread_ts,
                status=text,
                loading_messages=list(messages.LOADING) if text else None,
            ),
        )

    def _set_session(self, status: str) -> bool:
        client, where = self._parts.client, self._turn.address
        reply = self._attempt(
            SESSION,
            lambda: client.agents_sessions_setStatus(
                channel_id=where.channel, thread_ts=where.thread_ts, status=status
            ),
        )
        if reply is None:
            return False
        if NO_BUTTON in str(reply.get("warning", "")):
            self._parts.capabilities.mark_missing(where.team, SESSION, NO_BUTTON)
            return False
        return True

    def _attempt(self, method: str, call: Callable[[], SlackResponse]) -> SlackResponse | None:
        team = self._turn.address.team
        try:
            return self._parts.capabilities.attempt(team, method, call)
        except UNREACHABLE as error:
            turn_id = self._turn.id
            log.warning("status.refused", method=method, turn=turn_id, error=str(error))
            return None
