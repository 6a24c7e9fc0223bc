"""Has the pages of a turn confirmed again before a delivery that the gate would stop.

Only workers can ask a source. They write down what it says, and take a turn back whose pages were
closed; this waits for the one or the other.
"""

from __future__ import annotations

import time

from bot.gate import Gate
from bot.slack_api.errors import Unconfirmed
from core.access.disclosure import Disclosure
from core.jobs.queue import TaskName, enqueue_or_log
from core.storage.database import Database
from core.turns import disclosures, turn_store
from core.turns.turn import Turn

WAIT_S = 10.0  # a source that answers does so within a second or two
LOOK_EVERY_S = 0.2
# Of a confirmation's time may be over when a delivery begins, so that it lasts to its end. More
# than core.access.authorizer.REUSED_SHARE: what a worker is asked for is then asked anew.
USABLE_SHARE = 0.7


class Confirmer:
    """`wait_s`: how long a delivery waits for a worker."""

    def __init__(self, database: Database, gate: Gate, *, wait_s: float = WAIT_S) -> None:
        self._database = database
        self._gate = gate
        self._wait_s = wait_s

    def may_show(self, shows: Disclosure) -> bool:
        """Whether the gate would let this pass now."""
        return not self._gate.stale(shows)

    def may_name_question(self, turn: Turn) -> bool:
        """Whether its question is to be shown, since no message of a person asks it."""
        shows = disclosures.for_readers(turn, turn.question_shows)
        return turn.by_button and self.may_show(shows)

    def confirmed(self, turn: Turn) -> Turn:
        """The turn as it may be shown now; taken back, if one of its pages was closed.

        Raises:
            Unconfirmed: in all this time nobody could tell.
        """
        stale = self._gate.stale(disclosures.of_turn(turn), share=USABLE_SHARE)
        if not stale or turn.record is None:
            return turn
        enqueue_or_log(turn.id, TaskName.CONFIRM)
        until = time.monotonic() + self._wait_s
        while time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
            turn = turn_store.load(self._database, turn.id) or turn
            stale = self._gate.stale(disclosures.of_turn(turn))
            if not stale or turn.record is None:
                return turn
        raise Unconfirmed(sorted(map(str, stale)))
