"""Votes on answers, by button and by reaction, and the reason of one that is against an answer.

A vote is written down first; then, while the trigger of the press is good (3 seconds, once: docs.slack.dev/surfaces/modals), the modal
for the reason is opened. A reaction has no trigger, so whoever gave one is offered a button that has. Only the voter sees any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slack_bolt import App
from slack_sdk.errors import SlackClientError

from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import feedback_forms, messages
from bot.views.answer_blocks import FEEDBACK_ACTION
from bot.views.block_kit import Block, actions, button, section
from bot.views.feedback_forms import WHY_CALLBACK
from core import logs
from core.models import Vote
from core.turns import feedback, turn_store

WHY_ACTION = "why_bad"

log = logs.get(__name__)


class FeedbackListeners:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts, whisper: EphemeralMessages) -> None:
        self._parts = parts
        self._whisper = whisper

    def register(self, app: App) -> None:
        app.action(FEEDBACK_ACTION)(self.feedback_button)
        app.action(WHY_ACTION)(self.why_button)
        app.view(WHY_CALLBACK)(self.why_sent)

    def feedback_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `up:TURN` or `down:TURN`."""
        value, _, turn_id = action["value"].partition(":")
        user, vote = body["user"]["id"], Vote(value)
        if turn := self._whisper.turn_of(turn_id, body):
            feedback.record(
                self._parts.database,
                turn.id,
                user,
                vote,
                by="button",
                at=float(action["action_ts"]),
            )
            told = vote is Vote.UP or self._ask_why(turn.id, body["trigger_id"])
            self._whisper.say(turn, user, messages.THANKS, () if told else _offered(turn.id))
        ack()

    def by_reaction(self, turn_id: str, event: Payload, vote: Vote) -> None:
        feedback.record(
            self._parts.database,
            turn_id,
            event["user"],
            vote,
            by="reaction",
            at=float(event["event_ts"]),
        )
        turn = turn_store.load(self._parts.database, turn_id)
        if vote is Vote.DOWN and turn and not turn.is_forgotten:
            self._whisper.say(turn, event["user"], messages.THANKS, _offered(turn.id))

    def why_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn = self._whisper.turn_of(action["value"], body)
        if turn and not self._ask_why(turn.id, body["trigger_id"]):
            self._whisper.say(turn, body["user"]["id"], messages.details.NOT_OPENED)
        ack()

    def why_sent(self, body: Payload, view: Payload, ack: Any) -> None:
        """Save the reason with the vote, if that still stands."""
        turn_id, values = view["private_metadata"], view["state"]["values"]
        reason = feedback_forms.reason(values)
        if reason and feedback.give_reason(
            self._parts.database, turn_id, body["user"]["id"], reason
        ):
            log.info(
                "vote_reason",
                turn=turn_id,
                chosen=feedback_forms.chosen(values),
                characters=len(feedback_forms.written(values)),
            )
        ack()

    def _ask_why(self, turn_id: str, trigger_id: str) -> bool:
        try:
            self._parts.client.views_open(
                trigger_id=trigger_id, view=feedback_forms.build_why(turn_id)
            )
        except (SlackClientError, OSError) as error:  # a trigger that came too late, above all
            log.warning("why.not_opened", turn=turn_id, error=str(error))
            return False
        return True


def _offered(turn_id: str) -> Sequence[Block]:
    return [
        section(messages.THANKS),
        actions(button(messages.answer_menu.BUTTON_WHY, WHY_ACTION, turn_id)),
    ]
