"""Shows in Slack that we work on a thread: its assistant status, and its agent session.

A failure here is logged and changes nothing. Slack shows one of them at a time, the one written
last (github.com/agentconnect-md/agentconnect/pull/1483), so the session comes last: with it comes
Slack's own Stop button (docs.slack.dev/ai/agent-sessions). A status vanishes after two minutes, so
it is set again, and with every message of ours, so it is seldom to be cleared.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol

from bot import voices
from bot.slack_api.errors import Dropped, SlackError
from bot.slack_api.outbox.urgency import Urgency
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
        self,
        address: Address,
        text: str,
        loading: Sequence[str],
        *,
        shows: Disclosure,
        urgency: Urgency,
    ) -> bool: ...
    def has_sessions(self, team: str) -> bool: ...
    def set_session(self, address: Address, status: str, *, urgency: Urgency) -> bool: ...


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
        self._sentence = ""
        self._again_at = 0.0
        self._is_first = True  # the asker has seen nothing of us yet
        self._is_crowded = False
        self._in_session = False
        self.is_shown = False
        self.has_stop = False  # whether Slack shows a button to stop us

    def __enter__(self) -> WorkStatus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()

    @property
    def may_be_shown(self) -> bool:
        """Whether Slack shows it, or will when there is room for one more."""
        return self.is_shown or self._is_crowded

    @property
    def may_have_stop(self) -> bool:
        """Whether this workspace has sessions, though there may be no room for one now."""
        return self._statuses.has_sessions(self._turn.address.team)

    def inherit(self) -> None:
        """Take over from a process that may have died before clearing the status."""
        self._is_first = False
        self.is_shown = self._in_session = True

    def show(self, stage: str) -> None:
        """Show what we do, unless it stands there, or the session which Slack shows instead."""
        key = f"status-{stage}"
        sentence = self._say(key) if key in self._say else self._say("status-read")
        if self._tell(sentence, instead=self.has_stop):
            self._begin_session()

    def tell(self, sentence: str) -> bool:
        """Show a sentence instead of a stage; False where Slack shows no status at all."""
        self._tell(sentence)
        return self.may_be_shown

    def mark_removed(self) -> None:
        """Slack clears the status when we post."""
        self.is_shown = False

    def mark_let_go(self) -> None:
        """Slack ends the session, too, with a stream."""
        self.is_shown = self._in_session = False

    def leave(self) -> None:
        """Let the status stand, for whoever goes on with the turn."""
        self.mark_let_go()

    def clear(self) -> None:
        """Clear the status, unless the thread's next question is being answered: then it is its."""
        if not (self.is_shown or self._in_session):
            return
        head = thread_queue.head(self._database, self._turn.address)
        if head not in (None, self._turn.id):
            return
        if self.is_shown:
            self._set_status("", Urgency.FIRST)
        if self._in_session:
            self._set_session("active", Urgency.FIRST)

    def _tell(self, sentence: str, *, instead: bool = False) -> bool:
        """Set the status where that changes something, and say so."""
        stands = self.is_shown and (instead or sentence == self._sentence)
        if stands and time.monotonic() < self._again_at:
            return False
        self._sentence = sentence
        self._again_at = time.monotonic() + self._again_s
        urgency = Urgency.FIRST if self._is_first else Urgency.COURTESY
        self._is_crowded = False
        self.is_shown = self._set_status(sentence, urgency) or self.is_shown
        self._is_first = self._is_first and self._is_crowded
        return True

    def _begin_session(self) -> None:
        self.has_stop = self._set_session("processing", Urgency.COURTESY) or self.has_stop
        self._in_session = self._in_session or self.has_stop

    def _set_status(self, text: str, urgency: Urgency) -> bool:
        loading = [self._say(key) for key in LOADING] if text else []
        address = self._turn.address
        try:
            return self._statuses.set_status(address, text, loading, shows=NOTHING, urgency=urgency)
        except Dropped:
            self._is_crowded = True
            return False
        except SlackError as error:
            self._log_refused("status", error)
            return False

    def _set_session(self, status: str, urgency: Urgency) -> bool:
        try:
            return self._statuses.set_session(self._turn.address, status, urgency=urgency)
        except SlackError as error:
            self._log_refused("session", error)
            return False

    def _log_refused(self, what: str, error: SlackError) -> None:
        if not isinstance(error, Dropped):  # which is counted, and nothing to look into
            log.warning("status.refused", what=what, turn=self._turn.id, error=str(error))
