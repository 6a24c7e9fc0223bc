"""Whether this process lives, whether it can do its work, and its numbers: for a supervisor, a load balancer and Prometheus."""

from __future__ import annotations

from collections.abc import Callable

import redis
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, func, select
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.slack_api.parts import BotParts
from core.jobs.queue import QUEUES
from core.storage.tables import ExplanationRow, TurnRow

ANSWERS_S = 2.0  # a store that needs longer than this for nothing does not answer
FINE = "ok"


class Health:
    """The three endpoints; `connected` tells whether Slack reaches us."""

    def __init__(self, parts: BotParts, connected: Callable[[], bool]) -> None:
        self._database = parts.database
        self._redis = redis.Redis.from_url(
            parts.settings.redis_url, socket_connect_timeout=ANSWERS_S, socket_timeout=ANSWERS_S
        )
        self._connected = connected

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.metrics),
        ]

    def healthz(self, _request: Request) -> Response:
        """The process lives: nothing else is looked at, so that a database that is down does not get the bot restarted."""
        return PlainTextResponse(FINE)

    def readyz(self, _request: Request) -> Response:
        """What works and what does not; 503 when something is missing."""
        found = {
            "database": self._database_answers(),
            "redis": self._redis_answers(),
            "slack": self._slack_is_there(),
        }
        ready = all(state == FINE for state in found.values())
        return JSONResponse({"ready": ready, **found}, 200 if ready else 503)

    def metrics(self, _request: Request) -> Response:
        """In Prometheus' text format: what this process has counted, and what waits right now."""
        return Response(
            generate_latest() + generate_latest(self._waiting()),
            media_type="text/plain; version=0.0.4",
        )

    def _database_answers(self) -> str:
        try:
            with self._database.reading() as session:
                session.connection().execute(text("SELECT 1"))
        except SQLAlchemyError:
            return "does not answer"
        return FINE

    def _redis_answers(self) -> str:
        try:
            self._redis.ping()
        except redis.RedisError:
            return "does not answer"
        return FINE

    def _slack_is_there(self) -> str:
        return FINE if self._connected() else "not connected"

    def _waiting(self) -> CollectorRegistry:
        """Numbers of now; those of a store that does not answer are left out."""
        now = CollectorRegistry()
        try:
            lengths = {name: self._redis.llen(name) for name in sorted(set(QUEUES.values()))}
        except redis.RedisError:
            lengths = {}
        queues = Gauge(
            "groundwire_queue_length",
            "Messages that nobody has taken yet.",
            ["queue"],
            registry=now,
        )
        for name, length in lengths.items():
            queues.labels(name).set(length)
        open_work = Gauge(
            "groundwire_open", "What stands in SQL and is not finished.", ["what"], registry=now
        )
        for what, count in self._open().items():
            open_work.labels(what).set(count)
        return now

    def _open(self) -> dict[str, int]:
        wanted = {
            "questions": select(func.count()).where(TurnRow.state == "waiting"),
            "answers to deliver": select(func.count()).where(col(TurnRow.delivered_at).is_(None)),
            "explanations": select(func.count()).where(ExplanationRow.state == "waiting"),
            "explanations to deliver": select(func.count()).where(
                col(ExplanationRow.delivered_at).is_(None)
            ),
        }
        try:
            with self._database.reading() as session:
                return {what: session.exec(query).one() for what, query in wanted.items()}
        except SQLAlchemyError:
            return {}
