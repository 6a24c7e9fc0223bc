"""Threads that were joined late: replies that came before their mention were none of ours then.

Slack delivers a mention again after a minute or more, so a follow-up may well be delivered first.
"""

from __future__ import annotations

from core.jobs import gaps
from core.jobs.gaps import Gap
from core.storage.database import Database
from core.turns import turn_rows
from core.turns.turn import NewQuestion

LATE_S = 2.0  # nobody replies sooner to a question that others have not seen yet


def note(database: Database, new: NewQuestion) -> None:
    """Have the replies after this question caught up when it made the thread ours, and late."""
    where = new.address
    if new.private or new.late_s < LATE_S:
        return
    if turn_rows.joined_at(database, where) != where.ts:
        return
    gap = Gap(where.team, where.channel, where.thread_ts, direct=False, since=float(where.ts))
    gaps.open_gap(database, gap)
