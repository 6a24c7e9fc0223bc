"""Gaps: what may not have been heard stays in SQL until it was caught up."""

from __future__ import annotations

import time

from sqlmodel import col, update

from core.jobs import gaps
from core.jobs.gaps import DEAF_S, OVERLAP_S, Gap
from core.storage.database import Database
from core.storage.hearing_tables import HeardRow

DAY_S = 86_400.0


def silent_for(database: Database, seconds: float) -> float:
    """As if the last beat had been so long ago; when that was."""
    until = time.time() - seconds
    with database.session() as session:
        row = update(HeardRow).where(col(HeardRow.team) == "T1")
        session.exec(row.values(until=until))
    return until


def beat(database: Database, *, anew: bool = False) -> Gap | None:
    gaps.beat(database, "T1", most_s=DAY_S, anew=anew)
    return gaps.first(database, "T1")


def test_a_workspace_that_is_met_for_the_first_time_has_nothing_to_be_caught_up(
    database: Database,
) -> None:
    assert beat(database, anew=True) is None


def test_beats_that_come_in_time_open_no_gap(database: Database) -> None:
    beat(database)
    silent_for(database, DEAF_S - 5)
    assert beat(database) is None


def test_a_silence_opens_a_gap_that_begins_before_what_slack_still_delivers(
    database: Database,
) -> None:
    beat(database)
    until = silent_for(database, 300.0)
    gap = beat(database)
    assert gap is not None
    assert (gap.channel, gap.thread_ts, gap.since) == ("", "", until - OVERLAP_S)


def test_a_new_connection_opens_a_gap_without_a_silence(database: Database) -> None:
    beat(database)
    assert beat(database, anew=True) is not None


def test_what_is_too_old_is_left_alone(database: Database) -> None:
    beat(database)
    silent_for(database, 30 * DAY_S)
    gap = beat(database)
    assert gap is not None
    assert abs(gap.since - (time.time() - DAY_S)) < 60


def test_a_gap_that_is_opened_again_while_it_is_closed_stays_open(database: Database) -> None:
    gap = Gap("T1", "C1", "", direct=False, since=100.0)
    gaps.open_gap(database, gap)
    read = gaps.first(database, "T1")
    assert read is not None
    gaps.open_gap(database, Gap("T1", "C1", "", direct=False, since=200.0))
    gaps.close(database, read)

    again = gaps.first(database, "T1")
    assert again is not None
    assert again.since == 100.0
    gaps.close(database, again)
    assert gaps.first(database, "T1") is None


def test_a_workspace_is_closed_by_opening_its_channels_and_people_come_before_channels(
    database: Database,
) -> None:
    gaps.open_gap(database, Gap("T1", "", "", direct=False, since=100.0))
    whole = gaps.first(database, "T1")
    assert whole is not None
    parts = [
        Gap("T1", "C1", "", direct=False, since=100.0),
        Gap("T1", "D1", "", direct=True, since=100.0),
        Gap("T1", "C2", "90.0", direct=False, since=100.0),
    ]
    gaps.close(database, whole, parts)

    order = []
    while gap := gaps.first(database, "T1"):
        order.append(gap.channel)
        gaps.close(database, gap)
    assert order == ["C2", "D1", "C1"]
