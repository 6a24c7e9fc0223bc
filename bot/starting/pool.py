"""The pool that speaks: it delivers answers and explanations, and does what was put off."""

from __future__ import annotations

from collections.abc import Sequence

from bot.wiring.speakers import speakers
from core import logs
from core.jobs import pool
from core.jobs.pool import Chore, TaskPool
from core.logs import tracing
from core.settings import settings
from core.storage.database import open_database
from core.turns.upkeep import sweeper


def run() -> None:
    """Work until stopped; many threads, since a delivery only waits for its answer.

    Raises:
        SettingsError: what only the operator can change.
    """
    chosen = settings()
    logs.configure(chosen)
    tracing.configure(chosen, "speaker")
    speak = TaskPool(
        name="speaker",
        queue="speak",
        tasks="bot.tasks",
        threads=chosen.speak_concurrency,
        port=chosen.speaker_metrics_port,
    )
    pool.run(speak, chosen, _prepared)


def _prepared() -> Sequence[Chore]:
    speakers()  # a missing token is told before anything is said
    return sweeper.chores(open_database(settings().sql_url))
