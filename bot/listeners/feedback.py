"""Votes on answers by button and by reaction, and the reason for a vote against one.

A vote is saved first; then the modal for the reason is opened, while the trigger of the press is
good. A reaction has no trigger, so whoever gave one is offered a button that has. Only the voter
sees any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.locales import Locales
from bot.access.turn_access import TurnAccess
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, user_id
from bot.slack_api.views import SlackViews
from bot.views import feedback_forms
from bot.views.answer_blocks import FEEDBACK_ACTION, HAND_OVER_ACTION
from bot.views.block_kit import Block, actions, button, section
from bot.views.feedback_forms import WHY_CALLBACK
from core import logs
from core.access.disclosure import NOTHING
from core.language.sentences import Sentences
from core.states import Vote, VoteBy
from core.storage.database import Database
from core.turns import feedback
from core.turns.turn import Turn

WHY_ACTION = "why_bad"

log = logs.get(__name__)


class FeedbackListeners:
    """The voting buttons, and the modal that asks for a reason."""

    def __init__(
        self,
        database: Database,
        views: SlackViews,
        ephemeral: EphemeralMessages,
        *,
        locales: Locales,
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._views = views
        self._ephemeral = ephemeral
        self._locales = locales

    def register(self, app: App) -> None:
        app.action(FEEDBACK_ACTION)(self.feedback_button)
        app.action(WHY_ACTION)(self.why_button)
        app.view(WHY_CALLBACK)(self.why_sent)

    def feedback_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `up:TURN` or `down:TURN`."""
        value, _, turn_id = action["value"].partition(":")
        user = user_id(body)
        turn = self._access.of_button(turn_id, body)
        if turn and value not in list(Vote):
            self._ephemeral.reply(body, "answer-unknown")
        elif turn:
            vote = Vote(value)
            cast_at = float(action["action_ts"])
            feedback.record(self._database, turn.id, user, vote, by=VoteBy.BUTTON, at=cast_at)
            has_form = vote is Vote.UP or self._ask_why(turn, user, body["trigger_id"])
            self._thank(turn, user, vote, may_say_why=not has_form)
        ack()

    def by_reaction(self, turn: Turn, event: Payload, vote: Vote) -> None:
        user, cast_at = event["user"], float(event["event_ts"])
        feedback.record(self._database, turn.id, user, vote, by=VoteBy.REACTION, at=cast_at)
        if vote is Vote.DOWN:
            self._thank(turn, user, vote, may_say_why=True)

    def why_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn, user = self._access.of_button(action["value"], body), user_id(body)
        if turn and not self._ask_why(turn, user, body["trigger_id"]):
            self._ephemeral.tell(turn, user, "details-not-opened")
        ack()

    def why_sent(self, body: Payload, view: Payload, ack: Any) -> None:
        """Save the reason with the vote, if that still counts."""
        turn, user = self._access.of_modal(view, body), user_id(body)
        if turn is None:
            self._views.reply(ack, self._access.unknown(body, "why-title"), shows=NOTHING)
            return
        values = view["state"]["values"]
        reason = feedback_forms.reason(values)
        if reason and feedback.give_reason(self._database, turn.id, user, reason):
            log.info(
                "vote_reason",
                turn=turn.id,
                chosen=feedback_forms.chosen(values),
                characters=len(feedback_forms.written(values)),
            )
        ack()

    def _ask_why(self, turn: Turn, user: str, trigger_id: str) -> bool:
        say = voices.to(self._database, turn.address.team, user)
        form = feedback_forms.build_why(say, self._access.modal_pass(turn, user))
        return bool(self._views.open(trigger_id, form, "feedback", shows=NOTHING))

    def _thank(self, turn: Turn, user: str, vote: Vote, *, may_say_why: bool) -> None:
        self._locales.learn(turn.address.team, user)  # nothing has to open at once any more
        say = voices.to(self._database, turn.address.team, user)
        offer = _offer(say, turn.id, may_say_why=may_say_why) if vote is Vote.DOWN else ()
        self._ephemeral.post(turn, user, say("thanks"), offer, shows=NOTHING)


def _offer(say: Sentences, turn_id: str, *, may_say_why: bool) -> Sequence[Block]:
    """What somebody can do about an answer that does not help."""
    why = [button(say("button-why"), WHY_ACTION, turn_id)] if may_say_why else []
    person = button(say("menu-person"), HAND_OVER_ACTION, turn_id)
    return [section(say("thanks")), actions(*why, person)]
