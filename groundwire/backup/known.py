"""What the database knows that a restore replaces, and a backup cannot: what was forgotten since.

Read from few columns by name, so that the tables of an older or newer version will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select as columns
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, SQLModel, col, select

from core.states import TurnState
from core.storage import clock
from core.storage.access_tables import AuditRow, LinkedAccountRow, TokenRow
from core.storage.database import Database
from core.storage.hearing_tables import HeardRow, InstallationRow
from core.storage.people_tables import PersonRow, PreferencesRow
from core.storage.tables import FeedbackRow, KeyRow, ReportRow, ThreadRow, TurnRow

# A row that is gone from one of these was erased for a person, or by one.
ERASED_BY_PEOPLE: tuple[type[SQLModel], ...] = (
    FeedbackRow,
    InstallationRow,
    LinkedAccountRow,
    PersonRow,
    PreferencesRow,
    ReportRow,
    TokenRow,
)

LATELY_S = 2 * 86_400.0  # what Slack may tell of once more: see CATCH_UP_S

Key = tuple[Any, ...]


@dataclass(frozen=True)
class AskedBefore:
    """That somebody asked something, and not a word of it."""

    id: str
    team: str
    channel: str
    thread_ts: str
    ts: str
    user: str
    asked_at: float


@dataclass(frozen=True)
class KnownBefore:
    """Of the database that was there."""

    keys: frozenset[str] = frozenset()  # secrets of the installation: whose database it is
    turns: frozenset[str] = frozenset()  # ids of those that have their words
    rows: dict[str, frozenset[Key]] = field(default_factory=dict)  # primary keys by table
    tokens: dict[str, bytes] = field(default_factory=dict)  # sealed, by owner
    heard: dict[str, float] = field(default_factory=dict)  # until when, by workspace
    asked: tuple[AskedBefore, ...] = ()  # lately
    audit: tuple[dict[str, Any], ...] = ()


NOTHING = KnownBefore()


def past(database: Database) -> KnownBefore:
    """What it knows; nothing when it is empty or cannot be read."""
    try:
        with database.reading() as session:
            return _read(session)
    except SQLAlchemyError:
        return NOTHING


def keys_of(session: Session, table: type[SQLModel]) -> frozenset[Key]:
    """The primary keys of all rows."""
    columns = primary_key(table)
    return frozenset(tuple(row) for row in session.execute(select(*columns)).all())


def primary_key(table: type[SQLModel]) -> list[Any]:
    return list(table.__table__.primary_key.columns)  # type: ignore[attr-defined]


def _read(session: Session) -> KnownBefore:
    with_words = select(TurnRow.id).where(TurnRow.state != TurnState.FORGOTTEN)
    tokens = session.execute(select(TokenRow.owner, TokenRow.sealed)).all()
    heard = session.execute(select(HeardRow.team, HeardRow.until)).all()
    acts = session.execute(select(*AuditRow.__table__.columns)).mappings()  # type: ignore[attr-defined]
    return KnownBefore(
        asked=tuple(_asked_lately(session)),
        keys=frozenset(session.exec(select(KeyRow.value)).all()),
        turns=frozenset(session.exec(with_words).all()),
        rows={str(table.__tablename__): keys_of(session, table) for table in ERASED_BY_PEOPLE},
        tokens=dict(map(tuple, tokens)),
        heard=dict(map(tuple, heard)),
        audit=tuple(dict(act) for act in acts),
    )


def _asked_lately(session: Session) -> Iterator[AskedBefore]:
    turn, thread = TurnRow, ThreadRow
    whose = (turn.id, turn.team, turn.channel, thread.thread_ts, turn.ts, turn.user)
    query = columns(*map(col, whose), col(turn.asked_at))
    in_thread = query.join(thread, col(turn.thread_id) == thread.id)
    lately = in_thread.where(col(turn.asked_at) > clock.now() - LATELY_S)
    return (AskedBefore(*row) for row in session.execute(lately).all())


def is_of(session: Session, known: KnownBefore) -> bool:
    """Whether that was the same installation: else what it lacks was not forgotten there."""
    here = session.exec(select(KeyRow.value).where(col(KeyRow.value).in_(known.keys)))
    return here.first() is not None
