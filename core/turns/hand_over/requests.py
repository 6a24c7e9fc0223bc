"""Hand-overs in SQL: who asked for help with which question, who was asked, what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, delete, select, update

from core.jobs.leases import fenced
from core.states import HandOverState, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverPersonRow, HandOverRow
from core.storage.tables import ThreadRow, TurnRow
from core.turns.turn import Address

LEASE = "hand_over"  # of the speaker who asks; its key ends with the turn
MOST_ASKED = 3  # people for one question
MOST_A_DAY = 5  # questions for one person
DAY_S = 86_400.0


@dataclass(frozen=True)
class Person:
    """Somebody in Slack, and the account on the site where we know it: a principal."""

    user: str
    account: str = ""


@dataclass(frozen=True)
class HandOver:
    """A question that is handed over."""

    turn_id: str
    asked_by: str
    asked_at: float
    state: HandOverState
    people: tuple[Person, ...] = ()  # who was asked
    shown: Person | None = None  # in private: whom its author was shown
    resolved_by: str = ""
    should_say: bool | None = None

    @property
    def is_sent(self) -> bool:
        return self.state in (HandOverState.ASKED, HandOverState.RESOLVED)

    @property
    def users(self) -> tuple[str, ...]:
        return tuple(person.user for person in self.people)

    def was_asked(self, user: str) -> bool:
        return user in self.users


def load(database: Database, turn_id: str) -> HandOver | None:
    with database.reading() as session:
        row = session.get(HandOverRow, turn_id)
        return _hand_over(session, row) if row else None


def ask(database: Database, turn_id: str, user: str) -> bool:
    """Have people asked about this turn; False when it is handed over already, or forgotten."""
    with fenced(database, _serial(turn_id)) as session:
        if not _is_there(session, turn_id) or session.get(HandOverRow, turn_id) is not None:
            return False
        session.add(HandOverRow(turn_id=turn_id, asked_by=user))
        return True


def show(database: Database, turn_id: str, user: str, person: Person) -> bool:
    """Note whom the author of a private question was shown; False when it is sent already."""
    with fenced(database, _serial(turn_id)) as session:
        row = session.get(HandOverRow, turn_id)
        if not _is_there(session, turn_id) or (row and row.state != HandOverState.SHOWN):
            return False
        row = row or HandOverRow(turn_id=turn_id, asked_by=user, state=HandOverState.SHOWN)
        row.whom, row.account = person.user, person.account
        session.add(row)
        return True


def send(database: Database, turn_id: str, whom: str) -> bool:
    """Have the person asked who was shown to the author last; False when that was another one."""
    shown = update(HandOverRow).where(
        col(HandOverRow.turn_id) == turn_id,
        col(HandOverRow.state) == HandOverState.SHOWN,
        col(HandOverRow.whom) == whom,
    )
    with fenced(database) as session:
        sent = session.exec(shown.values(state=HandOverState.WAITING, asked_at=clock.now()))
        return sent.rowcount == 1


def drop(database: Database, turn_id: str) -> None:
    """Nobody could be asked: it may be tried again."""
    with fenced(database) as session:
        for table in (HandOverPersonRow, HandOverRow):
            session.exec(delete(table).where(col(table.turn_id) == turn_id))


def has_time(database: Database, team: str, user: str) -> bool:
    """Whether somebody was not asked too often within the last day."""
    with database.reading() as session:
        return _asked_lately(session, team, user) < MOST_A_DAY


def choose(database: Database, turn_id: str, team: str, people: Iterable[Person]) -> bool:
    """Note who is about to be asked, without those who were asked too often; False for nobody.

    Nothing changes when that is noted already: whoever goes on asks the same people.
    """
    with fenced(database, f"{LEASE}:{team}") as session:
        row = session.get(HandOverRow, turn_id)
        if row is None or row.state != HandOverState.WAITING:
            return row is not None
        chosen = [each for each in people if _asked_lately(session, team, each.user) < MOST_A_DAY]
        for each in chosen[:MOST_ASKED]:
            session.add(
                HandOverPersonRow(turn_id=turn_id, user=each.user, team=team, account=each.account)
            )
        if chosen:
            row.state = HandOverState.ASKED
        return bool(chosen)


def resolve(database: Database, turn_id: str, user: str) -> bool:
    """Close it; False when somebody has closed it before."""
    asked = update(HandOverRow).where(
        col(HandOverRow.turn_id) == turn_id, col(HandOverRow.state) == HandOverState.ASKED
    )
    with fenced(database) as session:
        closed = session.exec(asked.values(state=HandOverState.RESOLVED, resolved_by=user))
        return closed.rowcount == 1


def decide(database: Database, turn_id: str, user: str, *, should_say: bool) -> bool:
    """Note whether the page should say it; False unless this person has closed the question."""
    closed = update(HandOverRow).where(
        col(HandOverRow.turn_id) == turn_id, col(HandOverRow.resolved_by) == user
    )
    with fenced(database) as session:
        return session.exec(closed.values(should_say=should_say, said="")).rowcount == 1


def is_open_in(database: Database, where: Address) -> bool:
    """Whether people were asked about a question of this thread, and nobody has closed it."""
    asked = col(HandOverRow.state) == HandOverState.ASKED
    of_thread = (
        col(ThreadRow.team) == where.team,
        col(ThreadRow.channel) == where.channel,
        col(ThreadRow.thread_ts) == where.thread_ts,
    )
    query = (
        select(HandOverRow.turn_id)
        .join(TurnRow, col(TurnRow.id) == col(HandOverRow.turn_id))
        .join(ThreadRow, col(ThreadRow.id) == col(TurnRow.thread_id))
    )
    with database.reading() as session:
        return session.exec(query.where(asked, *of_thread)).first() is not None


def _serial(turn_id: str) -> str:
    return f"{LEASE}:{turn_id}"


def _is_there(session: Session, turn_id: str) -> bool:
    turn = session.get(TurnRow, turn_id, with_for_update=True)
    return turn is not None and turn.state != TurnState.FORGOTTEN


def _asked_lately(session: Session, team: str, user: str) -> int:
    query = select(func.count()).where(
        col(HandOverPersonRow.team) == team,
        col(HandOverPersonRow.user) == user,
        col(HandOverPersonRow.at) > clock.now() - DAY_S,
    )
    return session.exec(query).one()


def _hand_over(session: Session, row: HandOverRow) -> HandOver:
    asked = select(HandOverPersonRow).where(HandOverPersonRow.turn_id == row.turn_id)
    rows = session.exec(asked.order_by(col(HandOverPersonRow.at))).all()
    return HandOver(
        turn_id=row.turn_id,
        asked_by=row.asked_by,
        asked_at=row.asked_at,
        state=HandOverState(row.state),
        people=tuple(Person(each.user, each.account) for each in rows),
        shown=Person(row.whom, row.account) if row.whom else None,
        resolved_by=row.resolved_by,
        should_say=row.should_say,
    )
