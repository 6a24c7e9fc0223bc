"""Delivers an explanation: shows its progress with a Stop button, then the result and its chart."""

from __future__ import annotations

from typing import Protocol

from bot import voices
from bot.delivery import chart_upload, progress_events
from bot.delivery.confirmer import Confirmer
from bot.delivery.delete_messages import MessageDeletion
from bot.delivery.retry_policy import again_in_s, wait_s
from bot.delivery.turn_message import Messages, TurnMessage
from bot.slack_api.errors import SlackRefused, Unconfirmed
from bot.views import explanation_blocks, explanation_text
from bot.views.reasons import no_explanation
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.attribution import Explanation
from core.errors import LeaseLost
from core.jobs.leases import lease
from core.jobs.progress_events import Events, explain_channel
from core.jobs.queue import TaskName
from core.language.sentences import Sentences
from core.states import ExplanationState, NoExplanation, PostKind
from core.storage import clock
from core.storage.database import Database
from core.turns import disclosures, explanations, post_store, turn_store
from core.turns.explanations import Request
from core.turns.turn import Turn

PATIENCE_S = 600.0

log = logs.get(__name__)


class Uploads(Protocol):
    """Where pictures go before a message shows them."""

    def upload(self, png: bytes, *, shows: Disclosure) -> str:
        """The id of the file; empty when there is none."""


class ExplanationDelivery:
    """Shows explanations until they are finished."""

    def __init__(
        self,
        database: Database,
        events: Events,
        messages: Messages,
        uploads: Uploads,
        *,
        deletion: MessageDeletion,
        confirmer: Confirmer,
    ) -> None:
        self._database = database
        self._events = events
        self._messages = messages
        self._uploads = uploads
        self._deletion = deletion
        self._confirmer = confirmer

    def deliver(self, turn_id: str) -> None:
        """Deliver the explanation of a turn.

        Does nothing when the result was posted already, or when another process holds the lease.
        """
        with lease(self._database, f"{TaskName.POST_EXPLANATION}:{turn_id}") as held:
            turn = turn_store.load(self._database, turn_id)
            request = explanations.load(self._database, turn_id)
            if held is None or turn is None or request is None or request.delivered:
                return
            try:
                self._see_through(turn, request)
            except LeaseLost:
                log.warning("deliver.lease_lost", turn=turn_id)  # another one sees it through

    def _see_through(self, turn: Turn, request: Request) -> None:
        try:
            self._deliver(turn, request.requested_at + PATIENCE_S)
        except Unconfirmed as error:  # what stands in Slack is left as it is
            log.warning("deliver.withheld", turn=turn.id, error=str(error))
            later = wait_s(request.requested_at)
            explanations.deliver_later(self._database, turn.id, later)
            return
        except SlackRefused as error:
            wait = again_in_s(error, request.requested_at)
            if wait is not None:
                explanations.deliver_later(self._database, turn.id, wait)
                return
        explanations.delivered(self._database, turn.id)

    def _deliver(self, turn: Turn, until: float) -> None:
        message = TurnMessage(self._database, self._messages, turn, PostKind.EXPLANATION)
        say = voices.about(self._database, turn)
        blocks = explanation_blocks.build_progress(say, turn.id, say("explaining"))
        message.post(say("explaining"), blocks, shows=NOTHING)
        request = self._finished(say, turn.id, message, until)
        if request is None:
            return
        self._show(say, message, turn, request)

    def _show(self, say: Sentences, message: TurnMessage, turn: Turn, request: Request) -> None:
        """Show the result; of an answer that was taken back, that there is none any more."""
        turn = self._confirmer.confirmed(turn_store.load(self._database, turn.id) or turn)
        if turn.is_forgotten:
            return
        result = request.result
        if result is None or turn.record is None:
            reason = NoExplanation.CLOSED if result else request.reason
            blocks = explanation_blocks.build_failure(say, turn.id, reason)
            message.finish(no_explanation(say, reason), blocks, shows=NOTHING)
            self._delete_chart(turn)
            return
        shows = disclosures.of_turn(turn)
        text = explanation_text.as_text(say, result)
        message.finish(text, explanation_blocks.build_explanation(say, result), shows=shows)
        if request.has_picture:
            self._add_chart(say, message, result, shows=shows)

    def _add_chart(
        self,
        say: Sentences,
        message: TurnMessage,
        result: Explanation,
        *,
        shows: Disclosure,
    ) -> None:
        """Add the chart to the message, which is complete without it."""
        png = explanations.picture(self._database, result.turn_id)
        file_id = self._uploads.upload(png, shows=shows) if png else ""
        if file_id:
            post_store.save_file(self._database, result.turn_id, PostKind.EXPLANATION, file_id)
            blocks = explanation_blocks.build_explanation(say, result, file_id)
            text = explanation_text.as_text(say, result)
            chart_upload.show(message, text, blocks, shows=shows)

    def _delete_chart(self, turn: Turn) -> None:
        """Of an explanation that was shown, and was taken back since."""
        for post in post_store.of_turn(self._database, turn.id):
            if post.kind is PostKind.EXPLANATION and post.file:
                self._deletion.delete_file(post.file)
                post_store.save_file(self._database, turn.id, post.kind, "")

    def _finished(
        self, say: Sentences, turn_id: str, message: TurnMessage, until: float
    ) -> Request | None:
        """Wait for the explanation, showing progress; close it with a reason when it is too late.

        None: it is forgotten.
        """
        rate = progress_events.ProgressRate()
        for events in progress_events.follow(self._events, explain_channel(turn_id)):
            now = clock.now()
            rate.update(events, now)
            if now > until:
                explanations.fail(self._database, turn_id, NoExplanation.GAVE_UP)
            request = explanations.load(self._database, turn_id)
            if request is None or request.state != ExplanationState.WAITING:
                return request
            left = rate.seconds_left(now)
            sentence = explanation_text.progress(say, rate.done, rate.total, left)
            blocks = explanation_blocks.build_progress(say, turn_id, sentence)
            message.show_progress(sentence, blocks, shows=NOTHING)
        raise AssertionError("events never end")
