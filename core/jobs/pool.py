"""A pool: a Celery worker of one queue, which begins once all that it needs is there.

Nothing that a pool needs is begun by a handler of Celery's signals: what fails in one is logged,
and the worker goes on without it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from core.jobs.queue import app, begun
from core.outages.disk_space import require_room_to_start
from core.outages.health import Health
from core.outages.needs import Need, await_all
from core.outages.report import report
from core.outages.stores import (
    RedisLook,
    check,
    clock_state,
    database_look,
    open_database_in_time,
)
from core.settings import Settings
from core.storage.database import open_database


@dataclass(frozen=True)
class TaskPool:
    """`tasks`: the module that has them; `port`: of its health and numbers."""

    name: str
    queue: str
    tasks: str
    threads: int
    port: int | None


@dataclass(frozen=True)
class Chore:
    """What a pool does every so many seconds beside its tasks; one that fails comes again."""

    name: str
    every_s: float
    do: Callable[[], object]

    def run(self, stop: threading.Event) -> None:
        while not stop.wait(self.every_s):
            try:
                self.do()
            except Exception as error:  # noqa: BLE001  (told, a defect with its traceback)
                report(f"{self.name}.failed", error)


def run(
    pool: TaskPool,
    chosen: Settings,
    prepare: Callable[[], Sequence[Chore]],
    *,
    needs: Sequence[Need] = (),
) -> None:
    """Wait for what it needs, then work until stopped.

    `needs`: beside database, Redis and room on the disk. `prepare` loads all that the tasks use.

    Raises:
        SettingsError: what only the operator can change.
    """
    health = Health()
    health.serve(chosen.health_host, pool.port)
    look = RedisLook(chosen.redis_url)
    chores: list[Chore] = []
    await_all(
        [
            Need("disk", partial(require_room_to_start, chosen)),
            Need("database", lambda: open_database_in_time(chosen)),
            Need("redis", look),
            *needs,
            Need("its parts", lambda: chores.extend(prepare())),
        ],
        health,
    )
    database = database_look(open_database(chosen.sql_url))
    checks = {"database": check(database), "redis": check(look)}
    health.works(
        checks | {need.name: check(need.look) for need in needs},
        more=partial(clock_state, chosen),
    )
    _work(pool, chores)


def _work(pool: TaskPool, chores: Sequence[Chore]) -> None:
    begun.set()
    stop = threading.Event()
    for chore in chores:
        threading.Thread(target=chore.run, args=(stop,), name=chore.name, daemon=True).start()
    try:
        app.worker_main(_arguments(pool))
    finally:
        stop.set()


def _arguments(pool: TaskPool) -> list[str]:
    """Of `celery worker`; threads, since tasks wait for others most of their time."""
    return [
        *("worker", "-n", f"{pool.name}@%h", "-Q", pool.queue, "-I", pool.tasks),
        *("-P", "threads", "-c", str(pool.threads)),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]
