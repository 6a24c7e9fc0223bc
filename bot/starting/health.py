"""Health of the bot: the stores, Slack, and the numbers of what waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import redis
from prometheus_client import CollectorRegistry, Gauge
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, func, select

from core.jobs.queue import QUEUES
from core.outages.health import OK, Health
from core.outages.stores import TIMEOUT_S, RedisLook, check, clock_state, database_look
from core.settings import Settings
from core.states import ExplanationState, TurnState
from core.storage.database import Database
from core.storage.tables import ExplanationRow, TurnRow
from core.turns import disclosures


def bot_works(
    health: Health,
    database: Database,
    chosen: Settings,
    *,
    connected: Callable[[], bool],
    refused: Callable[[], dict[str, str]] = dict,
) -> None:
    """Say from now on what works: `connected` says whether Slack reaches us.

    `refused`: workspaces, of several, that have to install the app again, and why. The others are
    served all the same.
    """
    waiting = Waiting(database, chosen.redis_url)
    health.works(
        {
            "database": check(database_look(database)),
            "redis": check(RedisLook(chosen.redis_url)),
            "slack": lambda: OK if connected() else "not connected",
        },
        more=lambda: clock_state(chosen) | _refused(refused),
        numbers=[waiting.numbers],
    )


def _refused(refused: Callable[[], dict[str, str]]) -> dict[str, object]:
    try:
        found = {team: f"{code}: install it again" for team, code in refused().items()}
    except SQLAlchemyError:
        return {}
    return {"refused": found} if found else {}


class Waiting:
    """Numbers of now; those of a store that does not answer are left out."""

    def __init__(self, database: Database, redis_url: str) -> None:
        self._database = database
        self._redis = redis.Redis.from_url(
            redis_url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S
        )

    def numbers(self) -> CollectorRegistry:
        now = CollectorRegistry()
        queues = Gauge(
            "groundwire_queue_length",
            "Messages that nobody has taken yet.",
            ["queue"],
            registry=now,
        )
        for name, length in self._queue_lengths().items():
            queues.labels(name).set(length)
        open_work = Gauge(
            "groundwire_open", "What stands in SQL and is not finished.", ["what"], registry=now
        )
        for what, count in self._open().items():
            open_work.labels(what).set(count)
        return now

    def _queue_lengths(self) -> dict[str, int]:
        lengths = {}
        try:
            for name in sorted(set(QUEUES.values())):
                lengths[name] = int(self._redis.llen(name))
        except redis.RedisError:
            return {}
        return lengths

    def _open(self) -> dict[str, int]:
        conditions: dict[str, Any] = {
            "questions": TurnRow.state == TurnState.WAITING,
            "answers to deliver": col(TurnRow.delivered_at).is_(None),
            "explanations": ExplanationRow.state == ExplanationState.WAITING,
            "explanations to deliver": col(ExplanationRow.delivered_at).is_(None),
        }
        counts = {}
        try:
            with self._database.reading() as session:
                for what, is_open in conditions.items():
                    query = select(func.count()).where(is_open)
                    counts[what] = session.exec(query).one()
            counts["answers in doubt"] = disclosures.in_doubt(self._database)
        except SQLAlchemyError:
            return {}
        return counts
