"""The "more" menu of an answer: sources, behind the scenes, a wrong source, a person, delete."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.locales import Locales
from bot.access.membership import NotYetKnown, asked, is_asked
from bot.access.turn_access import TurnAccess
from bot.delivery.delete_messages import schedule_deletion
from bot.delivery.details_modal import DetailsModal
from bot.listeners.hand_over.listeners import HandOverListeners
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, user_id
from bot.slack_api.views import SlackViews
from bot.views import feedback_forms
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.block_kit import Block
from bot.views.feedback_forms import DELETE_CALLBACK, REPORT_CALLBACK
from core import logs
from core.access.disclosure import NOTHING
from core.jobs.progress_events import Events
from core.policy import audit, people
from core.policy.audit import Act
from core.states import DetailKind
from core.storage.database import Database
from core.turns import erasure
from core.turns.sources import source_reports
from core.turns.turn import Turn

log = logs.get(__name__)

# What opens when it is chosen.
_SHOWN = {
    Choice.SOURCES: DetailKind.SOURCES,
    Choice.TRACE: DetailKind.DETAILS,
    Choice.REPORT: DetailKind.REPORT,
}


class AnswerDeletion:
    """Deletes an answer for whoever may: its asker, and the admins of the workspace."""

    def __init__(self, database: Database, events: Events) -> None:
        self._database = database
        self._events = events

    def is_allowed(self, turn: Turn, user: str) -> bool:
        """By what Slack said within the hour.

        Raises:
            NotYetKnown: it has to be asked first, and was not asked just now.
        """
        if user == turn.user:
            return True
        allowed = people.is_admin(self._database, turn.address.team, user)
        if allowed is None and not is_asked():
            raise NotYetKnown(turn.address.team, user)
        return allowed is True

    def delete(self, turn: Turn, user: str) -> None:
        if user != turn.user:
            audit.write(
                self._database,
                Act.DELETED_FOR_OTHER,
                team=turn.address.team,
                actor=user,
                subject=turn.id,
                details={"asker": turn.user},
            )
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
        hand_over: HandOverListeners,
        locales: Locales,
        access: TurnAccess,
    ) -> None:
        self._hand_over = hand_over
        self._database = database
        self._access = access
        self._views = views
        self._ephemeral = ephemeral
        self._details = details
        self._deletion = deletion
        self._locales = locales

    def register(self, app: App) -> None:
        app.action(MORE_ACTION)(self.chosen)
        app.view(REPORT_CALLBACK)(self.reported)
        app.view(DELETE_CALLBACK)(self.deleted)

    def chosen(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `CHOICE:TURN`."""
        choice, _, turn_id = action["selected_option"]["value"].partition(":")
        turn = self._access.of_button(turn_id, body)
        if turn:
            self._choose(choice, turn, body)
            self._locales.learn(turn.address.team, user_id(body))
        ack()

    def reported(self, body: Payload, view: Payload, ack: Any) -> None:
        turn, user = self._access.of_modal(view, body), user_id(body)
        if turn is None:
            self._views.reply(ack, self._access.unknown(body, "report-title"), shows=NOTHING)
        else:
            values = view["state"]["values"]
            numbers = _numbers(turn, feedback_forms.chosen(values))
            text = feedback_forms.written(values)
            source_reports.record(self._database, turn, user, numbers, text)
            log.info(
                "source_reported",
                turn=turn.id,
                user=user,
                sources=sorted(numbers),
                characters=len(text),
            )
            self._ephemeral.tell(turn, user, "thanks")
            ack()

    def deleted(self, body: Payload, view: Payload, ack: Any) -> None:
        """Slack has asked for confirmation; the permission is checked once more."""
        turn, user = self._access.of_modal(view, body), user_id(body)
        if turn is None:
            self._views.reply(ack, self._access.unknown(body, "delete-title"), shows=NOTHING)
        elif self._may_delete(turn, user):
            self._deletion.delete(turn, user)
            ack()
        else:
            self._views.reply(ack, self._cannot_delete(turn, user), shows=NOTHING)

    def _may_delete(self, turn: Turn, user: str) -> bool:
        """A form has to be replied to at once: whoever is not known any more may not."""
        with asked():
            return self._deletion.is_allowed(turn, user)

    def _choose(self, choice: str, turn: Turn, body: Payload) -> None:
        user = user_id(body)
        if choice not in list(Choice):
            self._ephemeral.reply(body, "answer-unknown")
        elif not self._open(Choice(choice), turn, user, body["trigger_id"]):
            self._ephemeral.tell(turn, user, "details-not-opened")

    def _open(self, choice: Choice, turn: Turn, user: str, trigger_id: str) -> bool:
        """Open the modal of a choice; False when Slack does not open it."""
        if choice is Choice.HAND_OVER:
            return self._hand_over.begin(turn, user, trigger_id)
        if choice is Choice.DELETE:
            view = self._delete_view(turn, user)
            return bool(self._views.open(trigger_id, view, choice.value, shows=NOTHING))
        return self._details.open(turn, user, trigger_id, what=_SHOWN[choice])

    def _delete_view(self, turn: Turn, user: str) -> Block:
        if not self._deletion.is_allowed(turn, user):
            return self._cannot_delete(turn, user)
        say = voices.to(self._database, turn.address.team, user)
        return feedback_forms.build_delete(say, self._access.modal_pass(turn, user))

    def _cannot_delete(self, turn: Turn, user: str) -> Block:
        self._access.refused(turn, user, "delete-refused")
        say = voices.to(self._database, turn.address.team, user)
        refusal = say("delete-refused", user=turn.user)
        return feedback_forms.build_notice(say, "delete-title", refusal)


def _numbers(turn: Turn, chosen: Collection[str]) -> set[int]:
    """Those of the answer's sources that were chosen."""
    sources = turn.record.answer.sources if turn.record else ()
    return {source.number for source in sources if str(source.number) in chosen}
