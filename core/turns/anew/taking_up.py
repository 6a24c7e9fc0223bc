"""Taking up again: questions that ended late, or quoted as the model was down, get their answer.

The turn stays as it is until there is a better answer; that replaces it by one conditional update,
so whatever dies before has changed nothing. An answer that somebody has voted on, had explained or
asked on from is left alone, and so is a question that was asked once more in its thread.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, literal, or_
from sqlalchemy.orm import aliased
from sqlmodel import col, select, update

from core.jobs import leases
from core.jobs.leases import fenced
from core.models import Note, Record
from core.states import TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import ExplanationRow, FeedbackRow, TurnRow
from core.turns import disclosures
from core.turns.turn import Turn
from core.turns.turn_rows import answered

MOST_TIMES = 3  # each is a whole answer's work
AGAIN_S = 30.0  # after which one that was enqueued and is still due is enqueued again
_ENQUEUED = "take_up:"

_Later = aliased(TurnRow)
_WENT_ON = exists().where(
    col(_Later.thread_id) == col(TurnRow.thread_id),
    col(_Later.asked_at) > col(TurnRow.asked_at),
    col(_Later.state).in_((TurnState.WAITING, TurnState.DONE)),
    or_(
        col(TurnRow.state) == TurnState.DONE,
        col(_Later.question) == col(TurnRow.question),
    ),
)
_VOTED_ON = exists().where(col(FeedbackRow.turn_id) == col(TurnRow.id))
_EXPLAINED = exists().where(col(ExplanationRow.turn_id) == col(TurnRow.id))


def due(database: Database, most: int) -> list[str]:
    """Ids of turns to be taken up, the oldest question first; without those just enqueued."""
    with database.reading() as session:
        enqueued = leases.is_held(session, literal(_ENQUEUED).concat(TurnRow.id))
        waiting = select(TurnRow.id).where(_is_due(), ~enqueued)
        oldest = waiting.order_by(col(TurnRow.asked_at)).limit(most)
        return list(session.exec(oldest).all())


def mark_enqueued(database: Database, turn_id: str) -> bool:
    """Remember for a while that it is on the queue; False when somebody else has done so."""
    return leases.once(database, f"{_ENQUEUED}{turn_id}", AGAIN_S)


def begin(database: Database, turn_id: str) -> bool:
    """Count an attempt; False when the turn is not to be taken up any more."""
    turn = update(TurnRow).where(col(TurnRow.id) == turn_id, _is_due())
    with fenced(database) as session:
        begun = session.exec(turn.values(taken_up=TurnRow.taken_up + 1))
        return bool(begun.rowcount == 1)


def is_unchanged(database: Database, turn: Turn) -> bool:
    """Whether the turn still ends as it did when it was loaded."""
    query = select(TurnRow.id).where(_as_loaded(turn))
    with database.reading() as session:
        return session.exec(query).first() is not None


def save(database: Database, turn: Turn, record: Record) -> bool:
    """Put this answer in the place of how the turn ended, and have it delivered there.

    False, and no change, when the turn has changed since it was loaded, or is to be left alone now.
    """
    now = clock.now()
    better = _with_note(record)
    unchanged = update(TurnRow).where(_as_loaded(turn), ~_WENT_ON, ~_VOTED_ON, ~_EXPLAINED)
    taken_up = unchanged.values(
        **answered(better),
        edition=turn.edition + 1,
        finished_at=now,
        changed_at=now,
        delivered_at=None,
        delivery_enqueued_at=now,
    )
    with fenced(database) as session:
        if not session.exec(taken_up).rowcount:
            return False
        disclosures.save(session, turn.id, better.pages, better.audience)
        return True


def _is_due() -> ColumnElement[bool]:
    return and_(
        col(TurnRow.take_up_until) > clock.now(),
        col(TurnRow.state).in_((TurnState.DONE, TurnState.FAILED)),
        col(TurnRow.delivered_at).is_not(None),
        col(TurnRow.vetted).is_(True),  # else nobody knows whether its asker may ask
        col(TurnRow.taken_up) < MOST_TIMES,
        ~_WENT_ON,
        ~_VOTED_ON,
        ~_EXPLAINED,
    )


def _as_loaded(turn: Turn) -> ColumnElement[bool]:
    return and_(
        col(TurnRow.id) == turn.id,
        col(TurnRow.state) == turn.state,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.take_up_until).is_not(None),
    )


def _with_note(record: Record) -> Record:
    notes = (*record.answer.notes, Note.LATER)
    answer = record.answer.model_copy(update={"notes": notes})
    return record.model_copy(update={"answer": answer})
