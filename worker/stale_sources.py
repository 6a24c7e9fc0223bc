"""Marks the sources of earlier answers whose pages have changed or gone, when their thread is used again.

Each message is looked at as those see it who read it: in a channel everybody, in private whoever asked. It is updated once for each
change, by the same task that says an answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from core import logs
from core.jobs.queue import TaskName, enqueue_or_log
from core.turns import stale_sources
from core.turns.turn import Turn
from worker.bootstrap import WorkerParts

MOST = 3  # the last answers of a thread; nobody reads up to the older ones, and each may cost a call to Slack

log = logs.get(__name__)


def look_again(parts: WorkerParts, turns: Iterable[Turn]) -> None:
    """Compare the sources of these turns with what their pages are now; what has changed is shown in the messages."""
    for turn in turns:
        reader = parts.readers.of(turn)
        unknown = turn.private and parts.settings.permission_mode == "aware" and not reader.account
        if unknown or not stale_sources.mark(
            parts.database, turn, reader
        ):  # unknown: what that person may read, so nothing is said of it
            continue
        log.info("sources_aged", turn=turn.id)
        enqueue_or_log(turn.id, TaskName.DELIVER)
