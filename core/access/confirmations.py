"""Confirmations: what a source last said of who may read a page, and when; kept in SQL.

Workers ask and write them down. The bot, which knows no source, lets nothing leave without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, delete, func, select

from core.access.disclosure import Disclosure
from core.pages import PageKey
from core.storage.access_tables import ConfirmationRow, TurnPageRow
from core.storage.database import Database

UNKNOWN = "unknown:"  # the audience of private answers of before it was kept: never confirmed
KEEP_S = 30 * 86_400.0  # after that a confirmation says nothing that anybody asks for


@dataclass(frozen=True)
class Confirmation:
    """Whether an audience may read a page, as of a moment in seconds since 1970."""

    allowed: bool
    at: float


def record(
    database: Database,
    audience: str,
    verdicts: Mapping[PageKey, bool],
    at: float,
) -> None:
    """Save what a source was asked at this moment; `at` is from before the question."""
    with database.session() as session:
        for key, allowed in sorted(verdicts.items()):
            row = ConfirmationRow(
                audience=audience, source=key.source, page_id=key.id, allowed=allowed, at=at
            )
            there = session.get(ConfirmationRow, (audience, key.source, key.id))
            if there is None or there.at <= at:
                session.merge(row)


def of_pages(
    database: Database,
    audience: str,
    pages: Iterable[PageKey],
) -> dict[PageKey, Confirmation]:
    """The last confirmation of each of these pages, where there is one."""
    wanted = frozenset(pages)
    ids = {key.id for key in wanted}
    query = select(ConfirmationRow).where(
        ConfirmationRow.audience == audience, col(ConfirmationRow.page_id).in_(ids)
    )
    with database.reading() as session:
        rows = session.exec(query).all()
    found: dict[PageKey, Confirmation] = {}
    for row in rows:
        if row.page in wanted:
            found[row.page] = Confirmation(row.allowed, row.at)
    return found


def unconfirmed(
    database: Database,
    shows: Disclosure,
    since: float,
) -> set[PageKey]:
    """The pages that were not confirmed for these readers since that moment."""
    if not shows.pages:
        return set()
    known = of_pages(database, shows.audience, shows.pages)
    missing = set[PageKey]()
    for page in shows.pages:
        found = known.get(page)
        if found is None or not found.allowed or found.at < since:
            missing.add(page)
    return missing


def doubt(session: Session, pages: Iterable[PageKey]) -> None:
    """Note that these pages may be closed now, for everybody who was ever shown one of them.

    What was confirmed of them does not count any more, and answers that give them away are asked
    about again (core.turns.sweeper).
    """
    for key in sorted(set(pages)):
        here = (ConfirmationRow.source == key.source, ConfirmationRow.page_id == key.id)
        confirmed = session.exec(select(ConfirmationRow.audience).where(*here)).all()
        shown = select(TurnPageRow.audience).where(
            TurnPageRow.source == key.source, TurnPageRow.page_id == key.id
        )
        for audience in {*confirmed, *session.exec(shown.distinct()).all()}:
            row = ConfirmationRow(
                audience=audience, source=key.source, page_id=key.id, allowed=False, at=0.0
            )
            session.merge(row)


def prune(database: Database, now: float) -> None:
    """Delete what nobody asks for any more."""
    with database.session() as session:
        session.exec(delete(ConfirmationRow).where(col(ConfirmationRow.at) < now - KEEP_S))


def last_at(database: Database) -> float | None:
    """When a source was last asked; None for never."""
    with database.reading() as session:
        return session.exec(select(func.max(ConfirmationRow.at))).one()
