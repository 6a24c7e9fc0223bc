"""Reactions on our messages: a thumb is a vote, a configured emoji asks for the explanation."""

from __future__ import annotations

from collections.abc import Container

from slack_bolt import App, BoltContext

from bot.access.turn_access import TurnAccess
from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.slack_api.payloads import Payload, reaction_name, reactor
from core.states import Vote, VoteBy
from core.storage.database import Database
from core.turns import feedback
from core.turns.turn import Turn

VOTES = {
    "+1": Vote.UP,
    "thumbsup": Vote.UP,
    "-1": Vote.DOWN,
    "thumbsdown": Vote.DOWN,
}


class ReactionListeners:
    """Added and removed reactions."""

    def __init__(
        self,
        database: Database,
        explanations: ExplanationListeners,
        feedback: FeedbackListeners,
        *,
        explain_names: Container[str],
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._explain_names = explain_names
        self._explanations = explanations
        self._feedback = feedback

    def register(self, app: App) -> None:
        app.event("reaction_added")(self.reaction_added)
        app.event("reaction_removed")(self.reaction_removed)

    def reaction_added(self, event: Payload, context: BoltContext) -> None:
        name = reaction_name(event)
        if name not in VOTES and name not in self._explain_names:
            return
        turn = self._turn(event, context)
        if turn is None:
            return
        if name in VOTES:
            self._feedback.by_reaction(turn, event, VOTES[name])
        else:
            self._explanations.explain(turn, event["user"])

    def reaction_removed(self, event: Payload, context: BoltContext) -> None:
        vote = VOTES.get(reaction_name(event))
        turn = self._turn(event, context) if vote else None
        if turn and vote:
            feedback.withdraw(self._database, turn.id, event["user"], vote, by=VoteBy.REACTION)

    def _turn(self, event: Payload, context: BoltContext) -> Turn | None:
        """The turn whose answer or explanation this reaction is on."""
        who = reactor(event, context)
        return self._access.at_message(who) if who else None
