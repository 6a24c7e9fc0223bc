"""Disclosures of turns: which pages an answer and its explanation give away, and to whom.

What is written while the model writes is of the evidence that it was given: an event says of which.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from sqlalchemy import and_, func
from sqlmodel import Session, col, delete, select, update

from core.access import disclosure
from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.jobs.leases import fenced
from core.jobs.progress_events import Event, EventKind
from core.models import Record
from core.pages import PageKey
from core.states import TurnState
from core.storage.access_tables import ConfirmationRow, TurnPageRow
from core.storage.database import Database, take_turns
from core.storage.tables import ThreadRow, TurnRow
from core.turns.turn import Address, Turn

MOST_QUESTIONS = 20


# Of a turn and a confirmation: a page that it gives away is closed to its readers.
_CLOSED = and_(
    col(TurnPageRow.source) == col(ConfirmationRow.source),
    col(TurnPageRow.page_id) == col(ConfirmationRow.page_id),
    col(TurnPageRow.audience) == col(ConfirmationRow.audience),
    ~col(ConfirmationRow.allowed),
)


def of_turn(turn: Turn) -> Disclosure:
    """Everything that is said of this turn, its explanation included; a channel is everybody."""
    if turn.record is None:
        return with_question(turn, NOTHING)
    return with_question(turn, Disclosure(turn.record.pages, turn.record.audience))


def of_suggestions(turn: Turn) -> list[tuple[str, Disclosure]]:
    """The questions that an answer suggests, each with what it gives away.

    An old record does not say it of each: then it is all that the answer gives away.
    """
    record = turn.record
    if record is None:
        return []
    found: list[tuple[str, Disclosure]] = []
    for number, text in enumerate(record.answer.suggestions):
        own = record.suggested[number : number + 1]
        pages = frozenset(own[0]) if own else record.pages
        found.append((text, for_readers(turn, Disclosure(pages, record.audience))))
    return found


def with_question(turn: Turn, shows: Disclosure) -> Disclosure:
    """Of a text about this turn, under its question, where a button asked that."""
    question = turn.question_shows
    audience = shows.audience if shows.pages else question.audience
    pages = shows.pages | question.pages
    return for_readers(turn, Disclosure(pages, audience))


def for_readers(turn: Turn, shows: Disclosure) -> Disclosure:
    """What is shown in the place of this turn, where a channel is everybody."""
    return shows if turn.private else Disclosure(shows.pages, EVERYBODY)


def evidence_event(shows: Disclosure) -> Event:
    """Tells which pages the text that follows gives away; before it, no text is shown."""
    return Event(EventKind.EVIDENCE, json.dumps(shows.as_json()))


def of_event(event: Event) -> Disclosure:
    return disclosure.read(json.loads(event.data))


def of_questions(database: Database, team: str, user: str) -> set[PageKey]:
    """The pages of this person's last questions that a button asked, as everybody reads them."""
    query = select(TurnRow.question_shows).where(
        TurnRow.team == team,
        TurnRow.user == user,
        col(TurnRow.question_shows).is_not(None),
    )
    last = query.order_by(col(TurnRow.asked_at).desc()).limit(MOST_QUESTIONS)
    with database.reading() as session:
        found = [disclosure.read(stored) for stored in session.exec(last).all() if stored]
    pages = set[PageKey]()
    for shows in found:
        if shows.audience == EVERYBODY:
            pages |= shows.pages
    return pages


def pages_in(database: Database, thread: Address) -> frozenset[PageKey]:
    """All that the answers of this thread give away, and the questions that a button asked."""
    in_thread = and_(
        col(TurnRow.team) == thread.team,
        col(TurnRow.channel) == thread.channel,
        col(TurnRow.thread_id) == ThreadRow.id,
        col(ThreadRow.thread_ts) == thread.thread_ts,
    )
    answers = select(TurnPageRow.source, TurnPageRow.page_id).where(
        col(TurnPageRow.turn_id) == TurnRow.id, in_thread
    )
    asked = select(TurnRow.question_shows).where(in_thread)
    with database.reading() as session:
        pages = {PageKey(*found) for found in session.exec(answers).all()}
        for shows in filter(None, session.exec(asked).all()):
            pages |= disclosure.read(shows).pages
    return frozenset(pages)


def save(
    session: Session,
    turn_id: str,
    pages: Iterable[PageKey],
    audience: str,
) -> None:
    """Remember what a saved answer gives away, instead of what it gave away before."""
    take_turns(session, f"disclosures:{turn_id}")
    forget(session, [turn_id])
    for key in sorted(set(pages)):
        row = TurnPageRow(turn_id=turn_id, source=key.source, page_id=key.id, audience=audience)
        session.add(row)


def forget(session: Session, turn_ids: Iterable[str]) -> None:
    session.exec(delete(TurnPageRow).where(col(TurnPageRow.turn_id).in_(list(turn_ids))))


def posted(database: Database, turn: Turn, shows: Disclosure) -> None:
    """Remember what a turn shows that has no answer: what was written of it, its question."""
    with fenced(database) as session:
        save(session, turn.id, shows.pages, shows.audience)


def of_post(database: Database, turn_id: str) -> frozenset[PageKey]:
    """The pages that a turn was last remembered to give away."""
    query = select(TurnPageRow).where(TurnPageRow.turn_id == turn_id)
    with database.reading() as session:
        rows = session.exec(query).all()
    return frozenset(PageKey(row.source, row.page_id) for row in rows)


def in_doubt(database: Database) -> int:
    """How many answers that stand give away a page of which we last heard that it is closed."""
    query = select(func.count(col(TurnPageRow.turn_id).distinct()))
    with database.reading() as session:
        return session.exec(query.select_from(TurnPageRow).join(ConfirmationRow, _CLOSED)).one()


def doubtful(database: Database, most: int, but: Collection[str] = ()) -> list[str]:
    """Ids of turns that give away a page of which we last heard that it is closed.

    Without those of `but`, which are being asked about.
    """
    query = select(TurnPageRow.turn_id).join(ConfirmationRow, _CLOSED).distinct()
    others = query.where(col(TurnPageRow.turn_id).not_in(list(but)))
    with database.reading() as session:
        return list(session.exec(others.limit(most)).all())


def save_audience(
    database: Database,
    turn: Turn,
    record: Record,
    audience: str,
) -> None:
    """Save for whom the pages of a saved answer are confirmed, unless the turn has changed."""
    changed = record.model_copy(update={"audience": audience})
    unchanged = update(TurnRow).where(
        col(TurnRow.id) == turn.id,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.state) == TurnState.DONE,
    )
    with fenced(database) as session:
        saved = session.exec(unchanged.values(record=changed.model_dump(mode="json")))
        if saved.rowcount == 1:
            save(session, turn.id, record.pages, audience)
