"""Buttons of a hand-over: whoever presses one on its message gets its turn here, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from core.states import PostKind
from core.storage.database import Database
from core.turns import post_store, turn_store
from core.turns.hand_over import requests
from core.turns.hand_over.requests import HandOver
from core.turns.turn import Turn
from core.turns.turn_access import Actor, may_be_new


@dataclass(frozen=True)
class Pressed:
    """A turn that is handed over, and how."""

    turn: Turn
    hand_over: HandOver

    def concerns(self, user: str) -> bool:
        """Whether this person asked the question, had it handed over, or was asked."""
        asking = (self.turn.user, self.hand_over.asked_by)
        return user in asking or self.hand_over.was_asked(user)


def of_message(database: Database, actor: Actor, turn_id: str) -> Pressed | None:
    """The hand-over of this turn, if the message is ours about it; None for any other.

    In private, for those alone whom it concerns.
    """
    if not (turn_id.isascii() and turn_id.isalnum()):
        return None
    turn, hand_over = turn_store.load(database, turn_id), requests.load(database, turn_id)
    if turn is None or hand_over is None or turn.is_forgotten:
        return None
    found = Pressed(turn, hand_over)
    if turn.address.team != actor.team or (turn.private and not found.concerns(actor.user)):
        return None
    return found if _is_on(database, actor, turn) else None


def _is_on(database: Database, actor: Actor, turn: Turn) -> bool:
    """Whether it was pressed on our request, or on what only this person sees beside it.

    Also beside the question, whose author does not see the request where it was private.
    """
    for post in post_store.of_turn(database, turn.id):
        if post.kind is not PostKind.HAND_OVER:
            continue
        if actor.ephemeral and actor.channel in (post.channel, turn.address.channel):
            return True
        if post.channel == actor.channel and post.ts in (None, actor.ts):
            return may_be_new(database, actor, turn)
    return False
