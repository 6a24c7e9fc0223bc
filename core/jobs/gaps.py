"""Gaps: when nobody heard what was said in Slack, and where that is still to be caught up.

While Slack reaches us, a bot writes down the time every few seconds: a beat. A beat that comes
late, a start and a new connection open a gap since the last one. A gap stays in SQL until what it
asks for was read, so a process that dies over it loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from core.storage import clock
from core.storage.database import Database
from core.storage.hearing_tables import GapRow, HeardRow

# Slack delivers an event that was not acknowledged three times more within about six minutes
# (docs.slack.dev/apis/events-api#retries), so what was written before the last beat may still be
# on its way, or have been given up.
OVERLAP_S = 600.0
# Without a beat for so long, nobody has heard anything. Beats come every 2 seconds.
DEAF_S = 15.0


@dataclass(frozen=True)
class Gap:
    """Where something may not have been heard since that time, in seconds since 1970."""

    team: str
    channel: str  # empty: every channel of the workspace
    thread_ts: str  # empty: the channel with its threads
    direct: bool
    since: float
    opened_at: float = 0.0


def beat(database: Database, team: str, *, most_s: float, anew: bool = False) -> None:
    """We hear Slack now; after a silence, or `anew` connected, what was said since is a gap.

    A gap begins `most_s` seconds ago at the earliest. A workspace that is met for the first time
    has none.
    """
    now = clock.now()
    with database.one_at_a_time(_serial(team)) as session:
        row = session.get(HeardRow, team)
        if row is None:
            session.add(HeardRow(team=team, until=now))
            return
        if anew or now - row.until > DEAF_S:
            since = max(row.until - OVERLAP_S, now - most_s)
            _open(session, Gap(team, "", "", direct=False, since=since))
        row.until = max(row.until, now)


def open_gap(database: Database, gap: Gap) -> None:
    """Have this place caught up; one that is open already begins no later than before."""
    with database.one_at_a_time(_serial(gap.team)) as session:
        _open(session, gap)


def first(database: Database, team: str) -> Gap | None:
    """The gap to be closed next: the whole workspace's, threads, direct messages, channels."""
    query = select(GapRow).where(GapRow.team == team)
    with database.reading() as session:
        rows = session.exec(query).all()
    ordered = sorted(rows, key=lambda row: (row.channel != "", row.thread_ts == "", not row.direct))
    return next(map(_read, ordered), None)


def close(database: Database, gap: Gap, parts: Iterable[Gap] = ()) -> None:
    """It was caught up, but for these parts of it; one that was opened again meanwhile stays."""
    row = delete(GapRow).where(
        col(GapRow.team) == gap.team,
        col(GapRow.channel) == gap.channel,
        col(GapRow.thread_ts) == gap.thread_ts,
        col(GapRow.opened_at) == gap.opened_at,
    )
    with database.one_at_a_time(_serial(gap.team)) as session:
        for part in parts:
            _open(session, part)
        session.exec(row)


def _serial(team: str) -> str:
    return f"gaps:{team}"


def _open(session: Session, gap: Gap) -> None:
    row = session.get(GapRow, (gap.team, gap.channel, gap.thread_ts))
    if row is None:
        row = GapRow(
            team=gap.team,
            channel=gap.channel,
            thread_ts=gap.thread_ts,
            direct=gap.direct,
            since=gap.since,
        )
    row.since, row.opened_at = min(row.since, gap.since), clock.now()
    session.add(row)


def _read(row: GapRow) -> Gap:
    return Gap(
        row.team,
        row.channel,
        row.thread_ts,
        direct=row.direct,
        since=row.since,
        opened_at=row.opened_at,
    )
