"""Shows in Slack that we work on a thread: its assistant status, and its agent session.

A failure here is logged and changes nothing. Slack shows one of them at a time, the one written
last (github.com/agentconnect-md/agentconnect/pull/1483), so the session comes last: with it comes
Slack's own Stop button (docs.slack.dev/ai/agent-sessions). A status vanishes after two minutes and
with every message of ours, so it is set again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol

from bot import voices
from bot.slack_api.errors import SlackError
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.storage.database import Database
from core.turns import thread_queue
from core.turns.turn import Address, Turn

AGAIN_S = 45.0
# Slack shows these in turn meanwhile.
LOADING = ("looking", "loading-compare", "loading-check", "loading-follow", "loading-finish")

log = logs.get(__name__)


class Statuses(Protocol):
    """What Slack shows of our work, see bot.slack_api.assistant; each may raise SlackError."""

    def set_status(
        self, address: Address, text: str, loading: Sequence[str], *, shows: Disclosure
    ) -> None: ...
    def set_session(self, address: Address, status: str) -> bool: ...


class WorkStatus:
    """The status of one turn; leaving the block clears it, whatever happened inside."""

    def __init__(
        self,
        database: Database,
        statuses: Statuses,
        turn: Turn,
        *,
        again_s: float = AGAIN_S,
    ) -> None:
        self._database = database
        self._statuses = statuses
        self._turn = turn
        self._say = voices.about(database, turn)
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
        key = f"status-{stage}"
        self._set_status(self._say(key) if key in self._say else self._say("status-read"))
        self.has_stop = self._set_session("processing")

    def mark_removed(self) -> None:
        """Slack clears the status when we post, so the next `show` is not held back."""
        self._again_at = 0.0

    def clear(self) -> None:
        """Clear the status, unless the thread's next question is being answered: then it is its."""
        head = thread_queue.head(self._database, self._turn.address)
        if head in (None, self._turn.id):
            self._set_status("")
            self._set_session("active")

    def _set_status(self, text: str) -> None:
        loading = [self._say(key) for key in LOADING] if text else []
        try:
            self._statuses.set_status(self._turn.address, text, loading, shows=NOTHING)
        except SlackError as error:
            log.warning("status.refused", what="status", turn=self._turn.id, error=str(error))

    def _set_session(self, status: str) -> bool:
        try:
            return self._statuses.set_session(self._turn.address, status)
        except SlackError as error:
            log.warning("status.refused", what="session", turn=self._turn.id, error=str(error))
            return False
