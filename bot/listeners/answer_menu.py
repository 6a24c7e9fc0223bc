"""The "more" menu of an answer: behind the scenes, report a wrong source, delete the answer."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.access import admins
from bot.delivery.delete_messages import schedule_deletion
from bot.delivery.details_modal import DetailsModal
from bot.slack_api.directory import Directory
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.errors import SlackError
from bot.slack_api.payloads import Payload, user_id
from bot.slack_api.views import SlackViews
from bot.views import feedback_forms, messages
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.block_kit import Block
from bot.views.feedback_forms import DELETE_CALLBACK, REPORT_CALLBACK
from core import logs
from core.jobs.progress_events import Events
from core.policy.acl import EVERYBODY
from core.storage.database import Database
from core.turns import erasure, source_reports, stale_sources, turn_store
from core.turns.turn import Turn

log = logs.get(__name__)


class AnswerDeletion:
    """Deletes an answer for whoever may: its asker, and the admins of the workspace."""

    def __init__(self, database: Database, events: Events, directory: Directory) -> None:
        self._database = database
        self._events = events
        self._directory = directory

    def refusal(self, turn: Turn, user: str) -> str:
        """Why this person may not delete this answer; empty for those who may."""
        if user == turn.user:
            return ""
        try:
            allowed = admins.is_admin_of_workspace(self._directory, turn.address.team, user)
        except SlackError as error:
            log.warning("delete.unknown_rank", user=user, error=str(error))
            allowed = False
        return "" if allowed else messages.answer_menu.may_not_delete(turn.user)

    def delete(self, turn: Turn, user: str) -> None:
        forgotten = erasure.forget_turn(self._database, turn.id, turn.user)
        schedule_deletion(self._events, forgotten)
        by = "asker" if user == turn.user else "admin"
        log.info("answer_deleted", turn=turn.id, by=by)


class AnswerMenuListeners:
    """A choice opens a modal; reports and deletions come from those."""

    def __init__(
        self,
        database: Database,
        views: SlackViews,
        ephemeral: EphemeralMessages,
        *,
        details: DetailsModal,
        deletion: AnswerDeletion,
    ) -> None:
        self._database = database
        self._views = views
        self._ephemeral = ephemeral
        self._details = details
        self._deletion = deletion

    def register(self, app: App) -> None:
        app.action(MORE_ACTION)(self.chosen)
        app.view(REPORT_CALLBACK)(self.reported)
        app.view(DELETE_CALLBACK)(self.deleted)

    def chosen(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `CHOICE:TURN`; what was asked in private is nobody else's."""
        choice, _, turn_id = action["selected_option"]["value"].partition(":")
        turn = self._ephemeral.turn_of(turn_id, body)
        if turn:
            self._choose(choice, turn, body)
        ack()

    def reported(self, body: Payload, view: Payload, ack: Any) -> None:
        turn, user = self._turn_of(view), user_id(body)
        if turn:
            values = view["state"]["values"]
            numbers = {int(number) for number in feedback_forms.chosen(values)}
            text = feedback_forms.written(values)
            source_reports.record(self._database, turn, user, numbers, text)
            log.info(
                "source_reported",
                turn=turn.id,
                user=user,
                sources=sorted(numbers),
                characters=len(text),
            )
            self._ephemeral.post(turn, user, messages.THANKS)
        ack()

    def deleted(self, body: Payload, view: Payload, ack: Any) -> None:
        """Slack has asked for confirmation; the permission is checked once more."""
        turn, user = self._turn_of(view), user_id(body)
        if turn is None:
            ack()
        elif refused := self._deletion.refusal(turn, user):
            ack(response_action="update", view=_cannot_delete(refused))
        else:
            self._deletion.delete(turn, user)
            ack()

    def _choose(self, choice: str, turn: Turn, body: Payload) -> None:
        user = user_id(body)
        is_foreign = turn.private and turn.user != user
        if is_foreign or choice not in list(Choice):
            self._ephemeral.reply(body, messages.UNKNOWN_ANSWER)
        elif not self._open(Choice(choice), turn, user, body["trigger_id"]):
            self._ephemeral.post(turn, user, messages.details.NOT_OPENED)

    def _turn_of(self, view: Payload) -> Turn | None:
        """The turn that a modal is about, unless it is forgotten."""
        turn = turn_store.load(self._database, view["private_metadata"])
        return None if turn is None or turn.is_forgotten else turn

    def _open(self, choice: Choice, turn: Turn, user: str, trigger_id: str) -> bool:
        """Open the modal of a choice; False when Slack does not open it."""
        if choice is Choice.TRACE:
            return self._details.open(turn.id, user, trigger_id)
        view = self._view(choice, turn, user)
        return bool(self._views.open(trigger_id, view, choice.value))

    def _view(self, choice: Choice, turn: Turn, user: str) -> Block:
        if choice is Choice.DELETE:
            refused = self._deletion.refusal(turn, user)
            return _cannot_delete(refused) if refused else feedback_forms.build_delete(turn.id)
        if turn.record:
            sources = stale_sources.compared(self._database, turn.record, EVERYBODY)
            if sources:
                return feedback_forms.build_report(turn.id, sources)
        return feedback_forms.build_notice(
            messages.answer_menu.REPORT_TITLE, messages.answer_menu.NOTHING_TO_REPORT
        )


def _cannot_delete(reason: str) -> Block:
    return feedback_forms.build_notice(messages.answer_menu.DELETE_TITLE, reason)
