"""Patience with a question: how long its delivery waits, steps aside, and gives up with a reason.

Decision 0008 says why a question that nobody could work on gets a new patience.
"""

from __future__ import annotations

from core.states import NoAnswer, TurnState
from core.storage import clock
from core.storage.database import Database
from core.turns import backpressure, thread_queue, turn_store
from core.turns.turn import Turn


class Patience:
    """`seconds`: how long a question may take."""

    def __init__(self, database: Database, seconds: float) -> None:
        self._database = database
        self._seconds = seconds

    def is_over(self, turn: Turn) -> bool:
        if turn.queued or turn.state != TurnState.WAITING:
            return False
        return clock.now() > turn.patience_from + self._seconds

    def may_begin_again(self, turn: Turn) -> bool:
        """Whether the question waited for our own programs to restart, and not for too long."""
        return self.is_over(turn) and _may_wait_longer(turn)

    def begin_again(self, turn: Turn) -> Turn:
        turn_store.be_patient_again(self._database, turn.id)
        return turn_store.load(self._database, turn.id) or turn

    def is_needed_elsewhere(self, turn: Turn) -> bool:
        """Backpressure: whether whoever delivers this turn is needed by others."""
        return turn.state == TurnState.WAITING and backpressure.others_wait_for_a_speaker()

    def ahead(self, turn: Turn) -> int:
        """How many questions were asked before this one and wait for a worker like it."""
        return backpressure.ahead(self._database, turn.address.team, turn.asked_at)

    def step_aside(self, turn: Turn) -> bool:
        """Wait without a thread until the patience is over; False when a worker is at it."""
        # The patience of a queued turn has not begun.
        since = clock.now() if turn.queued else turn.patience_from
        return backpressure.step_aside(self._database, turn.id, since + self._seconds)

    def reload(self, turn: Turn) -> Turn:
        """The turn as it is now; closed with a reason when the patience is over."""
        turn = turn_store.load(self._database, turn.id) or turn
        if not self.is_over(turn):
            return turn
        self._lose(turn)
        return turn_store.load(self._database, turn.id) or turn

    def _lose(self, turn: Turn) -> None:
        """Close the turn, unless workers are busy with others and it was not begun yet.

        Does nothing when the answer came at this very moment.
        """
        untouched = turn.attempts == 0 and _may_wait_longer(turn)
        if untouched and backpressure.moves(self._database):
            turn_store.be_patient_again(self._database, turn.id)
        elif turn_store.fail(self._database, turn.id, NoAnswer.LATE):
            thread_queue.call_next(self._database, turn.address, after=turn.id)


def _may_wait_longer(turn: Turn) -> bool:
    return clock.now() < turn.asked_at + backpressure.LATE_S
