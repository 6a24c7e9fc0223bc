"""A question that somebody writes in two messages: the second one asks both, the first one ends."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import col, select

from core import logs
from core.dialogue.parts import announces, goes_on, is_one, joined
from core.states import NoAnswer, TurnState
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import backpressure, thread_queue, turn_store
from core.turns.turn import NewQuestion, Turn

TOGETHER_S = 20.0  # who writes on after a longer pause has waited for an answer

log = logs.get(__name__)


def first_of(database: Database, new: NewQuestion) -> Turn | None:
    """The direct message of this person that this one goes on with.

    While nothing answers that; or when it was answered faster than somebody writes, and this one
    cannot be understood without it. In one thread a follow-up has its place behind its question, so
    only one that was announced is asked together with it.
    """
    found = _before(database, new)
    if found is None or not is_one(found.question, new.text):
        return None
    if found.state is TurnState.DONE and not goes_on(new.text):
        return None
    is_follow_up = found.address.thread_ts == new.address.thread_ts
    return None if is_follow_up and not announces(found.question) else found


def together(first: Turn, new: NewQuestion) -> NewQuestion:
    """The second part, asking both."""
    both = joined(first.question, new.text)
    return replace(new, text=both, has_files=first.has_files or new.has_files)


def end(database: Database, first: Turn) -> None:
    """The first part is answered with the second; if it just was alone, that stays."""
    if turn_store.fail(database, first.id, NoAnswer.JOINED):
        log.info("joined", turn=first.id)
        backpressure.call_back(database, first.id)
        thread_queue.call_next(database, first.address, after=first.id)


def _before(database: Database, new: NewQuestion) -> Turn | None:
    """What this person asked there shortly before, and waits for or has just been told."""
    where = new.address
    query = select(TurnRow.id).where(
        TurnRow.team == where.team,
        TurnRow.channel == where.channel,
        TurnRow.user == new.user,
        col(TurnRow.state).in_([TurnState.WAITING, TurnState.DONE]),
        TurnRow.ts < where.ts,
        TurnRow.ts >= f"{float(where.ts) - TOGETHER_S:.6f}",
        ~col(TurnRow.by_button),
    )
    with database.reading() as session:
        turn_id = session.exec(query.order_by(col(TurnRow.ts).desc())).first()
    return turn_store.load(database, turn_id) if turn_id else None
