"""The listeners of explanations: requested, stopped, looked into."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.locales import Locales
from bot.access.turn_access import TurnAccess
from bot.delivery.details_modal import DetailsModal
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, user_id
from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION, STOP_ACTION
from core import logs
from core.access.disclosure import NOTHING
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import ExplanationState, NoExplanation
from core.storage.database import Database
from core.turns import explanations
from core.turns.turn import Turn

log = logs.get(__name__)


class ExplanationListeners:
    """The buttons of explanations; `explain` serves reactions and the shortcut too."""

    def __init__(
        self,
        database: Database,
        ephemeral: EphemeralMessages,
        *,
        access: TurnAccess,
        details: DetailsModal,
        locales: Locales,
    ) -> None:
        self._database = database
        self._ephemeral = ephemeral
        self._access = access
        self._details = details
        self._locales = locales

    def register(self, app: App) -> None:
        app.action(EXPLAIN_ACTION)(self.explain_button)
        app.action(STOP_ACTION)(self.stop_button)
        app.action(DETAILS_ACTION)(self.details_button)

    def explain_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """Under an answer, and as *Try again* under an explanation that failed."""
        turn = self._access.of_button(action["value"], body)
        if turn:
            self.explain(turn, user_id(body))
        ack()

    def stop_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """The worker notices within about a second, and so does whoever shows the progress."""
        turn = self._access.of_button(action["value"], body)
        if turn:
            self._stop(turn, user_id(body))
        ack()

    def details_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn = self._access.of_button(action["value"], body)
        if turn:
            self._show_details(turn, user_id(body), body["trigger_id"])
            self._locales.learn(turn.address.team, user_id(body))
        ack()

    def explain(self, turn: Turn, user: str) -> None:
        self._locales.learn(turn.address.team, user)  # nothing has to open at once
        if problem := self._request(turn, user):
            self._ephemeral.post(turn, user, problem, shows=NOTHING)

    def _request(self, turn: Turn, user: str) -> str:
        """Request the explanation; what to tell the person when it does not start right now."""
        say = voices.to(self._database, turn.address.team, user)
        if turn.record is None:
            return say("answer-unfinished")
        is_new = explanations.request(self._database, turn.id, user)
        if not is_new:
            request = explanations.load(self._database, turn.id)
            if request is not None and request.delivered:
                return say("explained-already")
            return say("explaining-already")
        log.info("explain_requested", turn=turn.id)
        if not enqueue_or_log(turn.id, TaskName.POST_EXPLANATION, TaskName.EXPLAIN):
            return say("explaining-already")
        return ""

    def _stop(self, turn: Turn, user: str) -> None:
        request = explanations.load(self._database, turn.id)
        if request is None or request.state != ExplanationState.WAITING:
            return
        if request.requested_by != user:
            asker = request.requested_by
            self._access.refused(turn, user, "explain-stop-refused")
            self._ephemeral.tell(turn, user, "explain-stop-refused", user=asker)
        elif explanations.fail(self._database, turn.id, NoExplanation.STOPPED):
            log.info("explain_stopped", turn=turn.id)

    def _show_details(self, turn: Turn, user: str, trigger_id: str) -> None:
        if not self._details.open(turn, user, trigger_id):
            self._ephemeral.tell(turn, user, "details-not-opened")
