"""The listeners that stop an answer: our own button in the placeholder, and the one that Slack shows with an agent session."""

from __future__ import annotations

from typing import Any

from slack_bolt import App, BoltContext

from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import messages
from bot.views.progress import STOP_ANSWER_ACTION
from core import logs
from core.jobs.progress_events import Event
from core.turns import backpressure, thread_queue, turn_store
from core.turns.turn import Address

log = logs.get(__name__)


class StopListeners:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts, whisper: EphemeralMessages) -> None:
        self._parts = parts
        self._whisper = whisper

    def register(self, app: App) -> None:
        app.action(STOP_ANSWER_ACTION)(self.stop_button)
        app.event("agent_session_stopped")(self.session_stopped)

    def stop_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """Everybody in the channel sees the button, so it asks who presses it."""
        turn = self._whisper.turn_of(action["value"], body)
        user = body["user"]["id"]
        if turn and turn.state == "waiting":
            if turn.user == user:
                self._stop(turn.id, turn.address)
            else:
                self._whisper.say(turn, user, messages.may_not_stop_answer(turn.user))
        ack()

    def session_stopped(self, event: Payload, context: BoltContext) -> None:
        """Slack has decided who may press this one, and has ended the stream; those who wait in the thread are not meant."""
        thread_ts = event.get(
            "thread_ts", ""
        )  # none in a channel that is a session as a whole, where the bot has no threads
        where = Address(
            team=context.team_id or "", channel=event["channel"], ts=thread_ts, thread_ts=thread_ts
        )
        if turn_id := thread_queue.head(self._parts.database, where):
            self._stop(turn_id, where)

    def _stop(self, turn_id: str, where: Address) -> None:
        """The worker notices within about a second; whoever tells the answer hears of it at once, or is called."""
        if turn_store.fail(self._parts.database, turn_id, "stopped"):
            log.info("answer_stopped", turn=turn_id)
            self._parts.events.publish(turn_id, Event("done"))
            backpressure.call_back(self._parts.database, turn_id)
            thread_queue.call_next(self._parts.database, where, after=turn_id)
