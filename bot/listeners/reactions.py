"""Reactions on our messages: a thumb is a vote, a configured emoji asks for the explanation."""

from __future__ import annotations

from collections.abc import Container

from slack_bolt import App

from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.slack_api.payloads import Payload, reaction_name
from core.models import Vote
from core.states import VoteBy
from core.storage.database import Database
from core.turns import feedback, post_store

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
        explain_names: Container[str],
    ) -> None:
        self._database = database
        self._explain_names = explain_names
        self._explanations = explanations
        self._feedback = feedback

    def register(self, app: App) -> None:
        app.event("reaction_added")(self.reaction_added)
        app.event("reaction_removed")(self.reaction_removed)

    def reaction_added(self, event: Payload) -> None:
        turn_id = self._turn_id(event)
        if turn_id is None:
            return
        name = reaction_name(event)
        if name in VOTES:
            self._feedback.by_reaction(turn_id, event, VOTES[name])
        elif name in self._explain_names:
            self._explanations.explain(turn_id, event["user"])

    def reaction_removed(self, event: Payload) -> None:
        turn_id, user = self._turn_id(event), event["user"]
        vote = VOTES.get(reaction_name(event))
        if turn_id and vote:
            feedback.withdraw(self._database, turn_id, user, vote, by=VoteBy.REACTION)

    def _turn_id(self, event: Payload) -> str | None:
        """The turn whose answer or explanation this reaction is on."""
        item = event.get("item", {})
        if item.get("type") != "message":
            return None
        channel, ts = item["channel"], item["ts"]
        post = post_store.at_place(self._database, channel, ts)
        return post.turn_id if post else None
