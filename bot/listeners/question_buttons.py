"""The buttons that ask a question: try again, without the filter, and follow-up suggestions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from slack_bolt import App

from bot.access.turn_access import TurnAccess
from bot.listeners.questions import QuestionListeners
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, user_id
from bot.views.answer_blocks import ASK_AGAIN_ACTION, FOLLOW_UP_ACTION, UNFILTERED_ACTION
from bot.views.progress import TRIED_AGAIN
from core.access.disclosure import NOTHING, Disclosure
from core.jobs.progress_events import Event, EventKind, Events
from core.states import TurnState
from core.storage.database import Database
from core.turns import disclosures, turn_store
from core.turns.turn import Turn


class QuestionButtons:
    """The value of each button begins with the id of the turn that it is about."""

    def __init__(
        self,
        database: Database,
        events: Events,
        ephemeral: EphemeralMessages,
        *,
        questions: QuestionListeners,
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._events = events
        self._ephemeral = ephemeral
        self._questions = questions

    def register(self, app: App) -> None:
        app.action(ASK_AGAIN_ACTION)(self.ask_again_button)
        app.action(UNFILTERED_ACTION)(self.unfiltered_button)
        app.action(re.compile(rf"^{FOLLOW_UP_ACTION}_\d+$"))(self.follow_up_button)

    def ask_again_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn = self._access.of_button(action["value"], body)
        if turn and turn.reason not in TRIED_AGAIN:  # under no other there is such a button
            self._ephemeral.reply(body, "answer-unknown")
        elif turn and turn_store.ask_again(self._database, turn.id):
            # What was written in the first attempt is of no interest.
            self._events.publish(turn.id, Event(EventKind.START))
            self._questions.enqueue(replace(turn, state=TurnState.WAITING))
        ack()

    def unfiltered_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn = self._access.of_button(action["value"], body)
        if turn:
            shows = turn.question_shows
            self._ask(turn, turn.question, action, body, filtered=False, shows=shows)
        ack()

    def follow_up_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `TURN:INDEX` of one of the answer's suggestions."""
        turn_id, _, index = action["value"].partition(":")
        turn = self._access.of_button(turn_id, body)
        if turn:
            suggestions = disclosures.of_suggestions(turn)
            by_index = {str(number): each for number, each in enumerate(suggestions)}
            if index in by_index:
                asked, shows = by_index[index]
                self._ask(turn, asked, action, body, shows=shows)
            else:
                self._ephemeral.reply(body, "answer-unknown")
        ack()

    def _ask(
        self,
        turn: Turn,
        asked: str,
        action: Payload,
        body: Payload,
        *,
        filtered: bool = True,
        shows: Disclosure,
    ) -> None:
        """Ask in the turn's thread, as whoever pressed the button, who is told of a refusal."""
        user = user_id(body)
        refused = self._questions.ask_by_button(
            turn,
            asked,
            user,
            pressed_at=action["action_ts"],
            filtered=filtered,
            shows=shows,
        )
        if refused:
            self._ephemeral.post(turn, user, refused, shows=NOTHING)


class OldButtons:
    """Buttons that nobody listens to: those of messages from an older version."""

    def __init__(self, ephemeral: EphemeralMessages) -> None:
        self._ephemeral = ephemeral

    def register(self, app: App) -> None:
        app.action(re.compile(".*"))(self.old_button)

    def old_button(self, body: Payload, ack: Any) -> None:
        self._ephemeral.reply(body, "answer-unknown")
        ack()
