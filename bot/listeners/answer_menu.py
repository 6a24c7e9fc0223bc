"""The listeners of the "more" menu of an answer: behind the scenes, report a wrong source, delete it."""

from __future__ import annotations

from typing import Any

from slack_bolt import App
from slack_sdk.errors import SlackClientError

from bot.access import admins
from bot.delivery import delete_messages, details_modal
from bot.slack_api import errors
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import feedback_forms, messages
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.block_kit import Block
from bot.views.feedback_forms import DELETE_CALLBACK, REPORT_CALLBACK
from core import logs
from core.policy.acl import EVERYBODY
from core.turns import erasure, source_reports, stale_sources, turn_store
from core.turns.turn import Turn

log = logs.get(__name__)


class AnswerMenuListeners:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts, whisper: EphemeralMessages) -> None:
        self._parts = parts
        self._whisper = whisper

    def register(self, app: App) -> None:
        app.action(MORE_ACTION)(self.chosen)
        app.view(REPORT_CALLBACK)(self.reported)
        app.view(DELETE_CALLBACK)(self.deleted)

    def chosen(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `CHOICE:TURN`; what was asked in private is nobody else's."""
        choice, _, turn_id = action["selected_option"]["value"].partition(":")
        turn, user = self._whisper.turn_of(turn_id, body), body["user"]["id"]
        if turn and (choice not in list(Choice) or (turn.private and turn.user != user)):
            self._whisper.answer(body, messages.UNKNOWN_ANSWER)
        elif turn and not self._open(Choice(choice), turn, user, body["trigger_id"]):
            self._whisper.say(turn, user, messages.details.NOT_OPENED)
        ack()

    def reported(self, body: Payload, view: Payload, ack: Any) -> None:
        turn, user = (
            turn_store.load(self._parts.database, view["private_metadata"]),
            body["user"]["id"],
        )
        if turn and not turn.is_forgotten:
            values = view["state"]["values"]
            numbers = {int(number) for number in feedback_forms.chosen(values)}
            source_reports.record(
                self._parts.database, turn, user, numbers, feedback_forms.written(values)
            )
            log.info(
                "source_reported",
                turn=turn.id,
                user=user,
                sources=sorted(numbers),
                characters=len(feedback_forms.written(values)),
            )
            self._whisper.say(turn, user, messages.THANKS)
        ack()

    def deleted(self, body: Payload, view: Payload, ack: Any) -> None:
        """Slack has asked whether it is meant; whether it is allowed is looked at once more."""
        turn, user = (
            turn_store.load(self._parts.database, view["private_metadata"]),
            body["user"]["id"],
        )
        if turn is None or turn.is_forgotten:
            ack()
        elif reason := self._refusal(turn, user):
            ack(
                response_action="update",
                view=feedback_forms.build_notice(messages.answer_menu.DELETE_TITLE, reason),
            )
        else:
            delete_messages.soon(
                self._parts, erasure.forget_turn(self._parts.database, turn.id, turn.user)
            )
            log.info("answer_deleted", turn=turn.id, by="asker" if user == turn.user else "admin")
            ack()

    def _open(self, choice: Choice, turn: Turn, user: str, trigger_id: str) -> bool:
        """Open the modal of a choice at once, since its trigger lives 3 seconds; False when Slack does not open it."""
        if choice is Choice.BEHIND:
            return details_modal.open_modal(self._parts, turn.id, user=user, trigger_id=trigger_id)
        try:
            self._parts.client.views_open(
                trigger_id=trigger_id, view=self._view(choice, turn, user)
            )
        except (SlackClientError, OSError) as error:
            log.warning("more.not_opened", turn=turn.id, choice=choice, error=str(error))
            return False
        return True

    def _view(self, choice: Choice, turn: Turn, user: str) -> Block:
        if choice is Choice.DELETE:
            refused = self._refusal(turn, user)
            return (
                feedback_forms.build_notice(messages.answer_menu.DELETE_TITLE, refused)
                if refused
                else feedback_forms.build_delete(turn.id)
            )
        sources = (
            stale_sources.compared(self._parts.database, turn.record, EVERYBODY)
            if turn.record
            else ()
        )
        if not sources:
            return feedback_forms.build_notice(
                messages.answer_menu.REPORT_TITLE, messages.answer_menu.NOTHING_TO_REPORT
            )
        return feedback_forms.build_report(turn.id, sources)

    def _refusal(self, turn: Turn, user: str) -> str:
        """Why this person may not delete this answer; empty for who asked, and for admins and owners of the workspace."""
        if user == turn.user:
            return ""
        try:
            allowed = admins.is_admin_of_workspace(self._parts.client, turn.address.team, user)
        except errors.UNREACHABLE as error:
            log.warning("delete.unknown_rank", user=user, error=str(error))
            allowed = False
        return "" if allowed else messages.answer_menu.may_not_delete(turn.user)
