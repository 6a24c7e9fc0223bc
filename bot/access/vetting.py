"""Vetting: a question whose asker SQL did not know is answered once Slack has said who asks."""

from __future__ import annotations

from bot.access import refusals
from bot.access.channel_rules import ChannelRules
from bot.access.membership import NOT_YET_KNOWN, Membership
from core import logs
from core.jobs.progress_events import Event, EventKind, Events
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import NoAnswer, TurnState
from core.storage import clock
from core.storage.database import Database
from core.turns import backpressure, thread_queue, turn_store
from core.turns.turn import Turn
from core.turns.upkeep import vetting

# For so long the sweeper has Slack asked again; whom it says nothing of by then is a stranger.
ASK_AGAIN_S = 30.0

log = logs.get(__name__)


class Vetting:
    """By membership and rules that ask Slack; a speaker does it, so nobody waits for it."""

    def __init__(
        self, database: Database, events: Events, membership: Membership, rules: ChannelRules
    ) -> None:
        self._database = database
        self._events = events
        self._membership = membership
        self._rules = rules

    def vet(self, turn_id: str) -> None:
        """Have it answered, or close it with the reason; nothing when it was decided before."""
        turn = turn_store.load(self._database, turn_id)
        if turn is None or turn.vetted or turn.state != TurnState.WAITING:
            return
        refused = self._refusal(turn)
        if refused is None:
            if vetting.admit(self._database, turn.id):
                enqueue_or_log(turn.id, TaskName.ANSWER)
        elif refused not in NOT_YET_KNOWN or clock.now() > turn.asked_at + ASK_AGAIN_S:
            self._refuse(turn, refused)

    def _refusal(self, turn: Turn) -> NoAnswer | None:
        of_person = self._membership.refusal_in(turn, turn.user)
        if of_person or turn.private:
            return of_person
        return self._rules.refusal(turn.address, turn.user)

    def _refuse(self, turn: Turn, reason: NoAnswer) -> None:
        if not turn_store.fail(self._database, turn.id, reason):
            return
        log.info("vetting.refused", turn=turn.id, reason=reason)
        refusals.audit(self._database, turn, turn.user, reason)
        self._events.publish(turn.id, Event(EventKind.DONE))
        backpressure.call_back(self._database, turn.id)
        thread_queue.call_next(self._database, turn.address, after=turn.id)
