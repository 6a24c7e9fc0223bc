"""The two pools of the worker, so that no question waits behind an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core import logs
from core.evidence import Query
from core.evidence.dense.vector_stores import server_look
from core.jobs import pool
from core.jobs.pool import Chore, TaskPool
from core.logs import tracing
from core.outages.needs import Need
from core.settings import Settings, settings
from core.settings.values import EvidenceEngine
from core.turns.upkeep import sweeper
from worker.bootstrap import parts
from worker.digest import weekly
from worker.pools import recovery
from worker.reading.reader import bundled

CHROMA_S = 30.0


class Queue(StrEnum):
    """What a pool of the worker does."""

    ANSWER = "answer"
    EXPLAIN = "explain"


def run(queue: Queue) -> None:
    """Work until stopped.

    Raises:
        SettingsError: what only the operator can change.
    """
    chosen = settings()
    logs.configure(chosen)
    tracing.configure(chosen, queue.value)
    needs = []
    # Without it questions are answered by words alone; another engine, and codes, do without it.
    if chosen.chroma_url and chosen.evidence_engine is EvidenceEngine.HOST:
        needs.append(Need("chroma", server_look(chosen.chroma_url), at_most_s=CHROMA_S))
    pool.run(_pool(queue, chosen), chosen, _prepared, needs=needs)


def _pool(queue: Queue, chosen: Settings) -> TaskPool:
    is_answer = queue is Queue.ANSWER
    return TaskPool(
        name="worker" if is_answer else "explainer",
        queue=queue.value,
        tasks="worker.tasks",
        threads=chosen.answer_concurrency if is_answer else chosen.explain_pool,
        port=chosen.worker_metrics_port if is_answer else chosen.explainer_metrics_port,
    )


def _prepared() -> Sequence[Chore]:
    """Everything is loaded before the first question."""
    parts().attributor.embedder.embed(["warm"])
    parts().evidence.search(Query("warm"), 1)
    bundled()
    return [
        *sweeper.chores(parts().database),
        recovery.chore(parts()),
        *weekly.chores(parts()),
    ]
