"""Access to turns: every id that comes back from Slack becomes a turn here, or nothing.

An id is taken for a guess. What counts is what Slack itself says of an action: who acts, in which
workspace, on which message. A modal stands on no message; it carries a pass that only this
installation can write, for one person and one turn.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from sqlmodel import col, select

from core.states import PostKind, TurnState
from core.storage.database import Database
from core.storage.keys import key, pseudonym
from core.storage.tables import TurnRow
from core.turns import post_store, turn_store
from core.turns.turn import Turn

SEAL = "modal-pass"  # the name of the installation's key


@dataclass(frozen=True)
class Actor:
    """Somebody in Slack, and the message acted on, as Slack says."""

    team: str
    user: str
    channel: str = ""
    ts: str = ""  # of the message
    thread_ts: str = ""
    ephemeral: bool = False  # only this person sees the message, and no post stands for it


def turn_for(database: Database, actor: Actor, turn_id: str) -> Turn | None:
    """The turn that this person may act on by this message; None for any other, and for none."""
    turn = _seen(database, actor, turn_id)
    return turn if turn and _is_about(database, actor, turn) else None


def turn_id_at(database: Database, actor: Actor) -> str:
    """The id of the turn that the message itself is about; empty for a message none of ours."""
    post = post_store.at_place(database, actor.channel, actor.ts)
    if post is None or post.kind is PostKind.HAND_OVER:  # a thumb there is no vote on the answer
        return ""
    return post.turn_id


def turn_of_pass(database: Database, actor: Actor, carried: str) -> Turn | None:
    """The turn of a modal that was opened for this person."""
    turn_id, _, _ = carried.partition(".")
    turn = _seen(database, actor, turn_id)
    if turn is None or not carried.isascii():
        return None
    expected = modal_pass(database, turn, actor.user)
    return turn if hmac.compare_digest(carried, expected) else None


def modal_pass(database: Database, turn: Turn, user: str) -> str:
    """What a modal about this turn carries, opened for this person: an id and its seal."""
    subject = f"{turn.address.team}:{user}:{turn.id}"
    return f"{turn.id}.{pseudonym(key(database, SEAL), subject)}"


def has_asked_in(database: Database, actor: Actor, thread_id: str) -> bool:
    """Whether this person has asked something in the thread that is not forgotten."""
    if not _is_id(thread_id):
        return False
    query = select(TurnRow.id).where(
        TurnRow.thread_id == thread_id,
        TurnRow.team == actor.team,
        TurnRow.user == actor.user,
        col(TurnRow.state) != TurnState.FORGOTTEN,
    )
    with database.reading() as session:
        return session.exec(query).first() is not None


def _is_id(text: str) -> bool:
    """Whether it can be an id of ours; a database does not take every text."""
    return text.isascii() and text.isalnum()


def _seen(database: Database, actor: Actor, turn_id: str) -> Turn | None:
    """The turn, unless it is another workspace's, forgotten, or another person's in private."""
    turn = turn_store.load(database, turn_id) if _is_id(turn_id) else None
    if turn is None or turn.is_forgotten or turn.address.team != actor.team:
        return None
    return None if turn.private and turn.user != actor.user else turn


def _is_about(database: Database, actor: Actor, turn: Turn) -> bool:
    """Whether the message stands in the turn's channel, and is one of ours about it."""
    if not actor.ts or actor.channel != turn.address.channel:
        return False
    if actor.ephemeral:
        return actor.thread_ts in ("", turn.address.thread_ts)
    places = {post.ts for post in post_store.of_turn(database, turn.id)}
    return actor.ts in places or (None in places and may_be_new(database, actor, turn))


def may_be_new(database: Database, actor: Actor, turn: Turn) -> bool:
    """Whether the message may be one of ours that Slack has shown, and not told us yet where.

    It is no other turn's; this turn's it may have become while we looked.
    """
    post = post_store.at_place(database, actor.channel, actor.ts)
    return post is None or post.turn_id == turn.id
