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
from core.turns.upkeep import sweeper, team_erasure


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
    chosen = settings()
    database = open_database(chosen.sql_url)
    # A workspace with a token of the operator's own is not installed, and yet not removed.
    late = [] if chosen.slack_bot_token else team_erasure.chores(database)
    return [*sweeper.chores(database), *late]
