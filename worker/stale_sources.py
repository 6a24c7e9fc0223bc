"""Stale sources: marks those of earlier answers whose pages have changed or gone.

Checked when a thread is used again, for those who read the message: in a channel everybody, in
private whoever asked. The message is updated once for each change, by the task that delivers
answers.
"""

from __future__ import annotations

from collections.abc import Iterable

from core import logs
from core.jobs.queue import TaskName, enqueue_or_log
from core.settings.values import PermissionMode
from core.turns import stale_sources
from core.turns.turn import Turn
from worker.bootstrap import WorkerParts

# The last answers of a thread: nobody reads up to older ones, and each may cost a call to Slack.
MOST = 3

log = logs.get(__name__)


def mark_stale(parts: WorkerParts, turns: Iterable[Turn]) -> None:
    """Compare the sources of these turns with their pages now, and show changes in the messages."""
    for turn in turns:
        reader = parts.readers.of(turn)
        # Nothing is said of sources when it is unknown what the person may read.
        by_account = turn.private and parts.settings.permission_mode is PermissionMode.AWARE
        if by_account and not reader.account:
            continue
        if not stale_sources.mark(parts.database, turn, reader):
            continue
        log.info("sources_stale", turn=turn.id)
        enqueue_or_log(turn.id, TaskName.DELIVER)
