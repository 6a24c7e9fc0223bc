"""The listeners of explanations: asked for, asked for again, stopped, looked into."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.access.membership import Membership
from bot.delivery import details_modal
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import messages
from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION, STOP_ACTION
from core import logs
from core.errors import StoreUnavailable
from core.jobs.queue import TaskName, enqueue
from core.turns import explanations, turn_store

log = logs.get(__name__)


class ExplanationListeners:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts, whisper: EphemeralMessages) -> None:
        self._parts = parts
        self._whisper = whisper
        self._door = Membership(parts)

    def register(self, app: App) -> None:
        app.action(EXPLAIN_ACTION)(self.explain_button)
        app.action(STOP_ACTION)(self.stop_button)
        app.action(DETAILS_ACTION)(self.details_button)

    def explain_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """Under an answer, and as *Try again* under an explanation that failed."""
        if turn := self._whisper.turn_of(action["value"], body):
            self.explain(turn.id, body["user"]["id"])
        ack()

    def stop_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """The worker notices within about a second, and so does whoever shows the progress."""
        turn = self._whisper.turn_of(action["value"], body)
        request = explanations.load(self._parts.database, turn.id) if turn else None
        user = body["user"]["id"]
        if turn and request and request.state == "waiting":
            if request.requested_by != user:
                self._whisper.say(
                    turn, user, messages.explanations.may_not_stop(request.requested_by)
                )
            elif explanations.fail(self._parts.database, turn.id, "stopped"):
                log.info("explain_stopped", turn=turn.id)
        ack()

    def details_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn = self._whisper.turn_of(action["value"], body)
        user = body["user"]["id"]
        if turn and (refused := self._door.refusal(turn.address.team, user, private=turn.private)):
            self._whisper.say(turn, user, messages.reason(refused))
        elif turn and not details_modal.open_modal(
            self._parts, turn.id, user=user, trigger_id=body["trigger_id"]
        ):
            self._whisper.say(turn, user, messages.details.NOT_OPENED)
        ack()

    def explain(self, turn_id: str, user: str) -> None:
        turn = turn_store.load(self._parts.database, turn_id)
        if turn is None or turn.is_forgotten:
            return None
        if turn.record is None:
            return self._whisper.say(turn, user, messages.NOT_YET)
        if refused := self._door.refusal(turn.address.team, user, private=turn.private):
            return self._whisper.say(turn, user, messages.reason(refused))
        if not explanations.request(self._parts.database, turn_id, user):
            request = explanations.load(self._parts.database, turn_id)
            done = request is not None and request.delivered
            return self._whisper.say(
                turn,
                user,
                messages.explanations.EXPLAINED_ALREADY
                if done
                else messages.explanations.EXPLAINING_ALREADY,
            )
        log.info("explain_requested", turn=turn_id)
        try:
            enqueue(TaskName.POST_EXPLANATION, turn_id)
            enqueue(TaskName.EXPLAIN, turn_id)
        except StoreUnavailable as error:  # the request is in SQL: the sweeper enqueues it
            log.error("enqueue.unavailable", turn=turn_id, error=str(error))
            self._whisper.say(turn, user, messages.explanations.EXPLAINING_ALREADY)
        return None
