"""Tells Slack that we are at it, beside any message: a status under the thread, and the thread's agent session.

Both are courtesies: what fails here is logged and changes nothing. Slack shows one of them at a time, the one written last
(github.com/agentconnect-md/agentconnect/pull/1483), so the session comes last: with it comes Slack's own Stop button
(docs.slack.dev/ai/agent-sessions). A status vanishes after two minutes and with every message of ours, so it is set again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from slack_sdk.errors import SlackClientError
from slack_sdk.web import SlackResponse

from bot.slack_api.parts import BotParts
from bot.views import messages
from core import logs
from core.turns import thread_queue
from core.turns.turn import Turn

AGAIN_S = 45.0
SESSION = "agents.sessions.setStatus"
STATUS = "assistant.threads.setStatus"
NO_BUTTON = "missing_agent_session_stopped_event_subscription"  # a session that nobody can stop

log = logs.get(__name__)


class WorkStatus:
    """That we work on this turn; leaving the block takes it away, whatever happened inside."""

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
        """Somebody worked on this before us, and may have died without taking it away."""
        self._shown = ""

    def show(self, stage: str) -> None:
        """Say what we do, unless it was said a moment ago."""
        if stage == self._shown and time.monotonic() < self._again_at:
            return
        self._shown, self._again_at = stage, time.monotonic() + self._again_s
        self._status(messages.STATUSES.get(stage, messages.STATUSES[""]))
        self.has_stop = self._session("processing")

    def lost(self) -> None:
        """A message of ours has taken the status away."""
        self._again_at = 0.0

    def clear(self) -> None:
        """Take it away, unless the next question of this thread is worked on by now: the status is the thread's."""
        if thread_queue.head(self._parts.database, self._turn.address) in (None, self._turn.id):
            self._status("")
            self._session("active")

    def _status(self, text: str) -> None:
        client, where = self._parts.client, self._turn.address
        self._told(
            STATUS,
            lambda: client.assistant_threads_setStatus(
                channel_id=where.channel,
                thread_ts=where.thread_ts,
                status=text,
                loading_messages=list(messages.LOADING) if text else None,
            ),
        )

    def _session(self, status: str) -> bool:
        client, where = self._parts.client, self._turn.address
        reply = self._told(
            SESSION,
            lambda: client.agents_sessions_setStatus(
                channel_id=where.channel, thread_ts=where.thread_ts, status=status
            ),
        )
        if reply is not None and NO_BUTTON in str(reply.get("warning", "")):
            self._parts.newer.remember(where.team, SESSION, NO_BUTTON)
            return False
        return reply is not None

    def _told(self, method: str, call: Callable[[], SlackResponse]) -> SlackResponse | None:
        try:
            return self._parts.newer.attempt(self._turn.address.team, method, call)
        except (SlackClientError, OSError) as error:  # OSError: no answer at all
            log.warning("presence.refused", method=method, turn=self._turn.id, error=str(error))
            return None
