"""Stops an answer: by the button in our placeholder, or by that of Slack's agent session."""

from __future__ import annotations

from typing import Any

from slack_bolt import App, BoltContext

from bot.access.turn_access import TurnAccess
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, user_id
from bot.views.progress import STOP_ANSWER_ACTION
from core import logs
from core.jobs.progress_events import Event, EventKind, Events
from core.states import NoAnswer, TurnState
from core.storage.database import Database
from core.turns import backpressure, thread_queue, turn_store
from core.turns.turn import Address

log = logs.get(__name__)


class StopListeners:
    """The two Stop buttons of an answer; explanations have one of their own."""

    def __init__(
        self,
        database: Database,
        events: Events,
        ephemeral: EphemeralMessages,
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._events = events
        self._ephemeral = ephemeral

    def register(self, app: App) -> None:
        app.action(STOP_ANSWER_ACTION)(self.stop_button)
        app.event("agent_session_stopped")(self.session_stopped)

    def stop_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """Everybody in the channel sees the button, so it checks who presses it."""
        turn = self._access.of_button(action["value"], body)
        user = user_id(body)
        if turn and turn.state == TurnState.WAITING:
            if turn.user == user:
                stop(self._database, self._events, turn.id, turn.address)
            else:
                self._access.refused(turn, user, "stop-refused")
                self._ephemeral.tell(turn, user, "stop-refused", user=turn.user)
        ack()

    def session_stopped(self, event: Payload, context: BoltContext) -> None:
        """Slack has decided who may press this one, and has ended the stream.

        Only the thread's current question is stopped, not those that wait behind it.
        """
        # Without thread_ts the session is a whole channel; the bot never answers outside a thread.
        thread_ts = event.get("thread_ts", "")
        team = context.team_id or ""
        where = Address(team, event["channel"], thread_ts, thread_ts)
        turn_id = thread_queue.head(self._database, where)
        if turn_id:
            stop(self._database, self._events, turn_id, where)


def stop(database: Database, events: Events, turn_id: str, where: Address) -> None:
    """End a question that waits; its delivery is told, or enqueued again if it stepped aside."""
    if turn_store.fail(database, turn_id, NoAnswer.STOPPED):
        log.info("answer_stopped", turn=turn_id)
        events.publish(turn_id, Event(EventKind.DONE))
        backpressure.call_back(database, turn_id)
        thread_queue.call_next(database, where, after=turn_id)
