"""Health checks and metrics: /healthz, /readyz, and /metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import redis
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, func, select
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.jobs.queue import QUEUES
from core.states import ExplanationState, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import ExplanationRow, TurnRow
from core.turns import disclosures

TIMEOUT_S = 2.0
OK = "ok"


class Health:
    """The three endpoints; `connected` says whether Slack reaches us."""

    def __init__(
        self,
        database: Database,
        redis_url: str,
        *,
        connected: Callable[[], bool],
        refused: Callable[[], dict[str, str]] = dict,
        clock_skew_s: float = 5.0,
    ) -> None:
        """`refused`: workspaces, of several, that have to install the app again, and why.

        `clock_skew_s`: by how much the clocks of this host and the database may differ.
        """
        self._database = database
        self._redis = redis.Redis.from_url(
            redis_url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S
        )
        self._connected = connected
        self._refused = refused
        self._clock_skew_s = clock_skew_s

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.metrics),
        ]

    def healthz(self, _request: Request) -> Response:
        """Liveness: nothing else is checked, so a database outage does not restart the bot."""
        return PlainTextResponse(OK)

    def readyz(self, _request: Request) -> Response:
        """Readiness: what works and what does not; 503 when something is missing."""
        states = {
            "database": self._check_database(),
            "redis": self._check_redis(),
            "slack": OK if self._connected() else "not connected",
        }
        ready = set(states.values()) == {OK}
        # The other workspaces are served all the same.
        refused = {"refused": found} if (found := self._check_workspaces()) else {}
        # It is to be mended, and nothing here goes by it: core.storage.clock.
        time = {"clock": self._check_clock()}
        return JSONResponse({"ready": ready, **states, **time, **refused}, 200 if ready else 503)

    def metrics(self, _request: Request) -> Response:
        """In Prometheus' text format: what this process has counted, and what waits right now."""
        counted = generate_latest()
        waiting = generate_latest(self._waiting())
        return Response(counted + waiting, media_type="text/plain; version=0.0.4")

    def _check_database(self) -> str:
        try:
            with self._database.reading() as session:
                session.connection().execute(text("SELECT 1"))
        except SQLAlchemyError:
            return "does not answer"
        return OK

    def _check_clock(self) -> str:
        ahead_s = clock.shared.skew_s()
        return OK if abs(ahead_s) <= self._clock_skew_s else f"{ahead_s:+.1f} s from the database's"

    def _check_workspaces(self) -> dict[str, str]:
        try:
            return {team: f"{code}: install it again" for team, code in self._refused().items()}
        except SQLAlchemyError:
            return {}

    def _check_redis(self) -> str:
        try:
            self._redis.ping()
        except redis.RedisError:
            return "does not answer"
        return OK

    def _waiting(self) -> CollectorRegistry:
        """Numbers of now; those of a store that does not answer are left out."""
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
