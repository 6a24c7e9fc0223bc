"""Confirmations: what a source last said of who may read a page, and when; kept in SQL.

Workers ask and write them down. The bot, which knows no source, lets nothing leave without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from core.access.disclosure import EVERYBODY, Disclosure
from core.pages import PageKey
from core.storage import clock
from core.storage.access_tables import ConfirmationRow, TurnPageRow
from core.storage.database import Database, take_turns
from core.storage.index_tables import is_one_of

TURNS = "confirmation"  # a doubt and a confirmation are written one after the other
SKEW_S = 2.0  # by which the clocks of two hosts may differ
KEEP_S = 30 * 86_400.0  # after that a confirmation says nothing that anybody asks for


@dataclass(frozen=True)
class Confirmation:
    """Whether an audience may read a page; times in seconds since 1970."""

    allowed: bool
    at: float  # when the source was asked; from before the question, to be sure
    until: float  # it counts until then


def record(
    database: Database,
    audience: str,
    found: Mapping[PageKey, Confirmation],
) -> None:
    """Save what a source said; what was heard later, such as a doubt, stays."""
    with database.one_at_a_time(TURNS) as session:
        for key, said in sorted(found.items()):
            there = session.get(ConfirmationRow, (audience, key.source, key.id))
            # A denial counts whatever the clocks say: the worst of it is one more question.
            is_newer = there is None or there.at <= said.at or there.at > clock.now() + SKEW_S
            if is_newer or not said.allowed:
                row = ConfirmationRow(
                    audience=audience,
                    source=key.source,
                    page_id=key.id,
                    allowed=said.allowed,
                    at=said.at,
                    until=said.until,
                )
                session.merge(row)


def of_pages(
    database: Database,
    audience: str,
    pages: Iterable[PageKey],
) -> dict[PageKey, Confirmation]:
    """The last confirmation of each of these pages, where there is one."""
    wanted = frozenset(pages)
    # With its source, or all that everybody was ever asked about is read.
    query = select(ConfirmationRow).where(
        ConfirmationRow.audience == audience,
        is_one_of(wanted, col(ConfirmationRow.source), col(ConfirmationRow.page_id)),
    )
    with database.reading() as session:
        rows = session.exec(query).all()
    found: dict[PageKey, Confirmation] = {}
    for row in rows:
        if row.page in wanted:
            found[row.page] = Confirmation(row.allowed, row.at, row.until)
    return found


def oldest(database: Database, shows: Disclosure) -> float | None:
    """When the page of this text was asked about that this was longest ago for; None for never."""
    known = of_pages(database, shows.audience, shows.pages)
    return min((found.at for found in known.values()), default=None)


def unconfirmed(
    database: Database,
    shows: Disclosure,
    *,
    now: float,
    valid_s: float,
) -> set[PageKey]:
    """The pages of which no confirmation for these readers counts, for at most so many seconds.

    One by a clock that is ahead of ours counts neither longer than that, nor before its time.
    """
    if not shows.pages:
        return set()
    known = of_pages(database, shows.audience, shows.pages)
    missing = set[PageKey]()
    for page in shows.pages:
        found = known.get(page)
        counts = (
            found is not None
            and found.allowed
            and found.at <= now + SKEW_S
            and now <= found.until <= now + valid_s + SKEW_S
        )
        if not counts:
            missing.add(page)
    return missing


def doubt(session: Session, pages: Iterable[PageKey]) -> None:
    """Note that these pages may be closed now, for a channel and all who were ever shown one.

    What was confirmed of them does not count any more, and answers that give them away are asked
    about again (core.turns.upkeep.sweeper).
    """
    take_turns(session, TURNS)
    for key in sorted(set(pages)):
        here = (ConfirmationRow.source == key.source, ConfirmationRow.page_id == key.id)
        confirmed = session.exec(select(ConfirmationRow.audience).where(*here)).all()
        shown = select(TurnPageRow.audience).where(
            TurnPageRow.source == key.source, TurnPageRow.page_id == key.id
        )
        for audience in {EVERYBODY, *confirmed, *session.exec(shown.distinct()).all()}:
            _deny(session, audience, key)


def doubt_audiences(session: Session, audiences: Iterable[str]) -> None:
    """Note that these people may not read any more what they were shown."""
    take_turns(session, TURNS)
    for audience in sorted(set(audiences)):
        shown = select(TurnPageRow.source, TurnPageRow.page_id).where(
            TurnPageRow.audience == audience
        )
        for source, page_id in session.exec(shown.distinct()).all():
            _deny(session, audience, PageKey(source, page_id))


def prune(database: Database, now: float) -> None:
    """Delete what nobody asks for any more."""
    with database.session() as session:
        session.exec(delete(ConfirmationRow).where(col(ConfirmationRow.at) < now - KEEP_S))


def _deny(session: Session, audience: str, key: PageKey) -> None:
    now = clock.now()
    row = ConfirmationRow(
        audience=audience,
        source=key.source,
        page_id=key.id,
        allowed=False,
        at=now,
        until=now,
    )
    session.merge(row)
