"""Gaps that somebody calls fixed: their questions are asked again, and what came of it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select, update

from core.digest.digest import Fix, FixedQuestion
from core.pages import PageKey
from core.states import Cure, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import SyncRow
from core.storage.loop_tables import DigestQuestionRow, DigestRow, FixQuestionRow, FixRow
from core.storage.tables import TurnRow, new_id

# After so long the questions are asked again without a sync: one space may fail for ever.
LONGEST_S = 86_400.0


def id_of(digest_id: str, number: int) -> str:
    """Of the fix of a digest's gap: there is one."""
    return f"{digest_id}:{number}"


def mark(database: Database, digest_id: str, number: int, user: str) -> bool:
    """A gap of a digest is called fixed; False when it was before, or has no question left."""
    fix_id = id_of(digest_id, number)
    questions = select(DigestQuestionRow.turn_id).where(
        DigestQuestionRow.digest_id == digest_id, DigestQuestionRow.number == number
    )
    with database.one_at_a_time(f"fix:{digest_id}") as session:
        digest = session.get(DigestRow, digest_id)
        turns = session.exec(questions).all()
        known = session.get(FixRow, fix_id)
        if digest is None or not turns or known:
            return False
        fix = FixRow(id=fix_id, team=digest.team, digest_id=digest_id, marked_by=user)
        _add(session, fix, turns)
        digest.edition += 1
        digest.said_at = 0.0
        return True


def mark_in_console(database: Database, turn_ids: Sequence[str]) -> bool:
    """The same for questions that an operator sees; False when none of them is there still."""
    here = select(TurnRow.id).where(col(TurnRow.id).in_(turn_ids), TurnRow.state == TurnState.DONE)
    with database.session() as session:
        turns = session.exec(here).all()
        if turns:
            _add(session, FixRow(id=new_id(), team=""), turns)
        return bool(turns)


@dataclass(frozen=True)
class OpenFix:
    """A gap that is called fixed, and whose questions were not asked again yet."""

    id: str
    marked_at: float
    turn_ids: tuple[str, ...]

    @property
    def is_late(self) -> bool:
        """Whether its time came a day ago, at the least."""
        return self.marked_at < clock.now() - 2 * LONGEST_S


def not_asked(database: Database) -> list[OpenFix]:
    """Those whose time has come: everything was synced since somebody called them fixed."""
    waiting = select(FixRow).where(col(FixRow.asked_at).is_(None))
    with database.reading() as session:
        rows = session.exec(waiting).all()
        synced = _synced_at(session) if rows else 0.0
        ready = [row for row in rows if row.marked_at < max(synced, clock.now() - LONGEST_S)]
        return [OpenFix(row.id, row.marked_at, _turns(session, row.id)) for row in ready]


def save_outcomes(
    database: Database, fix_id: str, outcomes: Mapping[str, tuple[Cure, PageKey | None]]
) -> None:
    """What became of each of its questions, and which page answers it now."""
    with database.session() as session:
        for turn_id, (outcome, page) in outcomes.items():
            row = session.get(FixQuestionRow, (fix_id, turn_id))
            if row:
                row.outcome = outcome
                row.source, row.page_id = page or ("", "")
        fix = session.get_one(FixRow, fix_id)
        fix.asked_at = clock.now()
        if fix.digest_id:
            digest = update(DigestRow).where(col(DigestRow.id) == fix.digest_id)
            session.exec(digest.values(edition=col(DigestRow.edition) + 1, said_at=0.0))


def tell(database: Database, fix_id: str) -> bool:
    """Note that whoever marked it is about to be told; False when they were before."""
    untold = update(FixRow).where(col(FixRow.id) == fix_id, col(FixRow.told_at).is_(None))
    with database.session() as session:
        return session.exec(untold.values(told_at=clock.now())).rowcount == 1


def not_told(database: Database, fix_id: str) -> None:
    """Slack has not taken it: they are told later."""
    with database.session() as session:
        session.exec(update(FixRow).where(col(FixRow.id) == fix_id).values(told_at=None))


def of_digest(session: Session, digest_id: str) -> dict[str, Fix]:
    """By their ids."""
    rows = session.exec(select(FixRow).where(FixRow.digest_id == digest_id)).all()
    return {row.id: _fix(session, row) for row in rows}


def of_turns(session: Session, turn_ids: Iterable[str]) -> dict[str, Fix]:
    """By turn, the last one that it is part of."""
    query = (
        select(FixQuestionRow.turn_id, FixRow)
        .join(FixRow, col(FixRow.id) == col(FixQuestionRow.fix_id))
        .where(col(FixQuestionRow.turn_id).in_(list(turn_ids)))
        .order_by(col(FixRow.marked_at))
    )
    found: dict[str, Fix] = {}
    for turn_id, row in session.exec(query).all():
        found[turn_id] = _fix(session, row)
    return found


def _add(session: Session, fix: FixRow, turn_ids: Sequence[str]) -> None:
    session.add(fix)
    session.flush()
    for turn_id in turn_ids:
        session.add(FixQuestionRow(fix_id=fix.id, turn_id=turn_id))


def _synced_at(session: Session) -> float:
    """When the last complete sync of that space began for which this is longest ago; 0 for none."""
    last = (
        select(func.max(SyncRow.started_at))
        .where(col(SyncRow.complete), SyncRow.space != "")
        .group_by(col(SyncRow.source), col(SyncRow.space))
    )
    return min(session.exec(last).all(), default=0.0) or 0.0


def _turns(session: Session, fix_id: str) -> tuple[str, ...]:
    rows = select(FixQuestionRow.turn_id).where(FixQuestionRow.fix_id == fix_id)
    return tuple(session.exec(rows).all())


def _fix(session: Session, row: FixRow) -> Fix:
    rows = session.exec(select(FixQuestionRow).where(FixQuestionRow.fix_id == row.id)).all()
    return Fix(
        id=row.id,
        marked_by=row.marked_by,
        marked_at=row.marked_at,
        asked=row.asked_at is not None,
        told=row.told_at is not None,
        questions=tuple(_question(each) for each in rows),
    )


def _question(row: FixQuestionRow) -> FixedQuestion:
    page = PageKey(row.source, row.page_id) if row.page_id else None
    return FixedQuestion(row.turn_id, Cure(row.outcome) if row.outcome else None, page)
