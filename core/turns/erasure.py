"""Erasure: deletes turns and all that belongs to them, by conversation, by person or by age.

A person's erasure deletes that person's turns. The turns of others in the same thread stay, but
lose what was made of the forgotten ones: the completed question, its context, the prompt. The row
of a forgotten turn stays for two days as a tombstone without a word in it: an event that Slack
repeats does not ask again, a worker that is just answering brings nothing back, rate limits still
count, and the speaker finds the messages to delete in Slack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists
from sqlmodel import Session, col, delete, select, update

from core.access import linked_accounts
from core.jobs import afterwards
from core.jobs.leases import fenced
from core.policy import people
from core.states import TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverPersonRow, HandOverRow
from core.storage.loop_tables import DigestQuestionRow, DigestRow, FixQuestionRow, FixRow, PairRow
from core.storage.tables import (
    CallRow,
    DetailRequestRow,
    ExplanationRow,
    FeedbackHistoryRow,
    FeedbackRow,
    PostRow,
    ReportRow,
    ThreadRow,
    TurnRow,
)
from core.turns import disclosures, turn_facts
from core.turns.hand_over import said
from core.turns.mending import mend_later

BATCH = 100  # turns erased in one transaction
KEPT_S = 2 * 86_400.0  # a tombstone stays for this long

_IS_LEFT = col(TurnRow.state) != TurnState.FORGOTTEN
_BY_TURN = (
    CallRow,
    ExplanationRow,
    DetailRequestRow,
    FeedbackRow,
    FeedbackHistoryRow,
    ReportRow,
    HandOverRow,
    HandOverPersonRow,
    DigestQuestionRow,
    FixQuestionRow,
    PairRow,
)


@dataclass(frozen=True)
class Forgotten:
    """The ids of turns that are erased, and of later ones that have lost what was made of them."""

    turns: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()

    def __add__(self, other: Forgotten) -> Forgotten:
        turns = self.turns + other.turns
        return Forgotten(turns, self.mended + other.mended)


def forget(database: Database, thread_id: str, user: str) -> Forgotten:
    """Erase all that this person has asked in the thread.

    SQL is clean when this returns. The sweeper has a speaker delete our messages in Slack.
    """
    return _forget_all(database, user, col(TurnRow.thread_id) == thread_id)


def forget_turn(database: Database, turn_id: str, user: str) -> Forgotten:
    """Erase one turn; nothing happens unless this person asked it."""
    return _forget_all(database, user, col(TurnRow.id) == turn_id)


def forget_person(database: Database, team: str, user: str) -> Forgotten:
    """Erase a person's questions, votes, reports, preferences, linked account and Slack profile."""
    in_team = col(TurnRow.team) == team
    forgotten = _forget_all(database, user, in_team)
    turns = select(TurnRow.id).where(in_team)
    with fenced(database) as session:
        for table in (FeedbackRow, FeedbackHistoryRow, DetailRequestRow, ReportRow):
            here = col(table.turn_id).in_(turns)
            session.exec(delete(table).where(here, col(table.user) == user))
        of_person = col(ExplanationRow.requested_by) == user
        here = col(ExplanationRow.turn_id).in_(turns)
        requested = update(ExplanationRow).where(of_person, here)
        session.exec(requested.values(requested_by=""))
        said.forget_person(session, turns, user)
        for column in (HandOverRow.asked_by, HandOverRow.resolved_by):
            helped = update(HandOverRow).where(
                col(column) == user, col(HandOverRow.turn_id).in_(turns)
            )
            session.exec(helped.values({column: ""}))
        own = delete(DigestRow).where(col(DigestRow.team) == team, col(DigestRow.user) == user)
        session.exec(own)
        marked = update(FixRow).where(col(FixRow.team) == team, col(FixRow.marked_by) == user)
        session.exec(marked.values(marked_by=""))
        people.erase(session, team, user)
        linked_accounts.forget(session, team, user)
        afterwards.forget(session, team, user)
    database.leave_no_trace()
    return forgotten


def forget_old(database: Database, before: float) -> int:
    """Erase a batch of the turns asked before this time, rows and all; how many there were.

    Our messages in Slack stay: how long those are kept is a setting of Slack's.
    """
    ended = select(TurnRow).where(TurnRow.asked_at < before, TurnRow.state != TurnState.WAITING)
    oldest = ended.order_by(col(TurnRow.asked_at)).limit(BATCH)
    with fenced(database) as session:
        rows = session.exec(oldest.with_for_update()).all()
        erase(session, rows)
        mend_later(session, rows, in_slack=False)
        drop(session, [row.id for row in rows])
    return len(rows)


def drop_empty(database: Database) -> int:
    """Delete a batch of tombstones that nobody needs any more; how many there were."""
    expired = select(TurnRow.id).where(
        TurnRow.state == TurnState.FORGOTTEN,
        col(TurnRow.delivered_at).is_not(None),
        col(TurnRow.finished_at) < clock.now() - KEPT_S,
    )
    with fenced(database) as session:
        ids = session.exec(expired.limit(BATCH)).all()
        drop(session, ids)
    return len(ids)


def taken_back(database: Database, turn_id: str) -> None:
    """Note that none of our messages about a forgotten turn is left in Slack."""
    turn = update(TurnRow).where(
        col(TurnRow.id) == turn_id, col(TurnRow.state) == TurnState.FORGOTTEN
    )
    about_turn = col(PostRow.turn_id) == turn_id
    with fenced(database) as session:
        session.exec(delete(PostRow).where(about_turn))
        session.exec(turn.values(delivered_at=clock.now()))


def _forget_all(database: Database, user: str, which: ColumnElement[bool]) -> Forgotten:
    """Batch after batch, so that nobody who asks meanwhile waits for long."""
    forgotten = Forgotten()
    by_person = col(TurnRow.user) == user
    while batch := _forget_batch(database, which, by_person):
        forgotten += batch
    database.leave_no_trace()
    return forgotten


def _forget_batch(database: Database, *which: ColumnElement[bool]) -> Forgotten | None:
    oldest = select(TurnRow).where(*which, _IS_LEFT).order_by(col(TurnRow.asked_at)).limit(BATCH)
    with fenced(database) as session:
        rows = list(session.exec(oldest.with_for_update()).all())
        if not rows:
            return None
        rows += _repeated(session, rows)
        _forget_unheard(session, rows)
        _show_digests_again(session, rows)
        erase(session, rows)
        changed = mend_later(session, rows, in_slack=True)
        ids = tuple(row.id for row in rows)
        return Forgotten(ids, tuple(changed))


def _show_digests_again(session: Session, rows: Sequence[TurnRow]) -> None:
    """Those that quote these questions in Slack, without them."""
    quoting = select(DigestQuestionRow.digest_id).where(
        col(DigestQuestionRow.turn_id).in_([row.id for row in rows])
    )
    digests = update(DigestRow).where(col(DigestRow.id).in_(quoting))
    session.exec(digests.values(edition=col(DigestRow.edition) + 1, said_at=0.0))


def _forget_unheard(session: Session, rows: Sequence[TurnRow]) -> None:
    """What these people have said there, and nobody has looked at yet."""
    times: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        thread = session.get_one(ThreadRow, row.thread_id)
        times.setdefault((row.team, row.user), set()).update((row.ts, thread.thread_ts))
    for (team, user), theirs in times.items():
        afterwards.forget(session, team, user, times=theirs)


def _repeated(session: Session, rows: Sequence[TurnRow]) -> list[TurnRow]:
    """The same questions asked again by a button, which has the words of whoever asked first.

    And what these turns were before their question was edited.
    """
    known = {row.id for row in rows}
    questions = {(row.thread_id, row.question) for row in rows}
    threads = {thread_id for thread_id, _ in questions}
    pressed = select(TurnRow).where(col(TurnRow.thread_id).in_(threads), col(TurnRow.by_button))
    found = session.exec(pressed.with_for_update()).all()
    again = [row for row in found if (row.thread_id, row.question) in questions]
    edited = select(TurnRow).where(col(TurnRow.replaced_by).in_(known), _IS_LEFT)
    again += session.exec(edited.with_for_update()).all()
    return [row for row in again if row.id not in known]


def erase(session: Session, rows: Sequence[TurnRow]) -> None:
    """Make tombstones of these turns; each waits until its messages are deleted in Slack."""
    ids = [row.id for row in rows]
    disclosures.forget(session, ids)
    turn_facts.forget(session, ids)
    said.forget_drafts(session, ids)
    for table in _BY_TURN:
        session.exec(delete(table).where(col(table.turn_id).in_(ids)))
    turns = update(TurnRow).where(col(TurnRow.id).in_(ids))
    tombstones = turns.values(
        question="",
        words_key="",
        question_shows=None,
        record=None,
        reason="",
        hidden=False,
        state=TurnState.FORGOTTEN,
        finished_at=clock.now(),
        delivered_at=None,
        delivery_enqueued_at=0.0,  # the sweeper need not wait
    )
    session.exec(tombstones)


def drop(session: Session, ids: Sequence[str]) -> None:
    """Delete the tombstones, and the threads that have no other turn."""
    of_these = col(TurnRow.id).in_(ids)
    threads = set(session.exec(select(TurnRow.thread_id).where(of_these)).all())
    session.exec(delete(PostRow).where(col(PostRow.turn_id).in_(ids)))
    session.exec(delete(TurnRow).where(of_these))
    left = exists().where(col(TurnRow.thread_id) == col(ThreadRow.id))
    session.exec(delete(ThreadRow).where(col(ThreadRow.id).in_(threads), ~left))
