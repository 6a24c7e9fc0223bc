"""Question and answer pairs in SQL; those whose piece of evidence is gone are gone as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select, update

from core.models import Record
from core.pages import PageKey
from core.states import PairOrigin, PairState, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow
from core.storage.loop_tables import PairRow
from core.storage.tables import TurnRow

MOST_ACCEPTED = 5_000  # that search compares a question with, the newest


@dataclass(frozen=True)
class Pair:
    """A question, what answers it, and where that stands."""

    question: str
    answer: str
    page: PageKey
    evidence_id: str
    origin: PairOrigin
    state: PairState = PairState.PROPOSED
    id: str = ""
    turn_id: str = ""  # of whoever asked; empty: nobody did


def propose(database: Database, pairs: Iterable[Pair]) -> int:
    """Save those whose question is not there yet, whatever was said of it; how many that are.

    Not those whose piece or whose turn has gone or changed since they were made.
    """
    found = list(pairs)  # to make one may write as well
    new = 0
    with database.one_at_a_time("pairs") as session:
        known = {each.casefold() for each in session.exec(select(PairRow.question)).all()}
        for pair in found:
            if pair.question.casefold() in known or not _stands(session, pair):
                continue
            known.add(pair.question.casefold())
            session.add(_row(pair))
            new += 1
    return new


def decide(database: Database, pair_id: str, state: PairState) -> bool:
    """Accept or refuse a pair; False when it is not there any more."""
    row = update(PairRow).where(col(PairRow.id) == pair_id)
    with database.session() as session:
        decided = session.exec(row.values(state=state, decided_at=clock.now()))
        return decided.rowcount == 1


def of_state(database: Database, state: PairState, most: int = MOST_ACCEPTED) -> Sequence[Pair]:
    """Those of liked answers first, then the newest."""
    query = select(PairRow).where(PairRow.state == state)
    by_origin = col(PairRow.origin).desc()  # a vote, then a page
    newest = query.order_by(by_origin, col(PairRow.made_at).desc(), col(PairRow.id)).limit(most)
    with database.reading() as session:
        return [_pair(row) for row in session.exec(newest).all()]


def version(database: Database) -> tuple[int, float]:
    """Another one whenever other pairs are accepted than before: how many, and the last time."""
    counted = select(func.count(), func.max(PairRow.decided_at)).where(
        PairRow.state == PairState.ACCEPTED
    )
    with database.reading() as session:
        number, last = session.exec(counted).one()
    return number, last or 0.0


def _stands(session: Session, pair: Pair) -> bool:
    """Whether what it was made of is there as it was, and stays so until the transaction ends.

    What somebody else is changing right now counts as gone: nobody waits for anybody.
    """
    piece = select(EvidenceRow.id).where(EvidenceRow.id == pair.evidence_id)
    if session.exec(piece.with_for_update(read=True, skip_locked=True)).first() is None:
        return False
    if not pair.turn_id:
        return True
    turn = select(TurnRow).where(TurnRow.id == pair.turn_id, TurnRow.state == TurnState.DONE)
    row = session.exec(turn.with_for_update(read=True, skip_locked=True)).first()
    return row is not None and _says(Record.model_validate(row.record), pair)


def _says(record: Record, pair: Pair) -> bool:
    """Whether the turn is answered as the pair is, and still has every word of its question."""
    asked = set(record.completed.text.split())
    return pair.answer == record.answer.text and asked.issuperset(pair.question.split())


def _row(pair: Pair) -> PairRow:
    return PairRow(
        question=pair.question,
        answer=pair.answer,
        source=pair.page.source,
        page_id=pair.page.id,
        evidence_id=pair.evidence_id,
        turn_id=pair.turn_id or None,
        origin=pair.origin,
        state=pair.state,
    )


def _pair(row: PairRow) -> Pair:
    return Pair(
        id=row.id,
        question=row.question,
        answer=row.answer,
        page=PageKey(row.source, row.page_id),
        evidence_id=row.evidence_id,
        origin=PairOrigin(row.origin),
        state=PairState(row.state),
        turn_id=row.turn_id or "",
    )
