"""The budgets of the outbox, shared by all processes: in Redis, or in SQL while Redis is away.

Each brings its own clock, so that the clocks of several machines need not agree.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import redis
from sqlmodel import col, select

from bot.slack_api.outbox.window import Window, read
from core import logs
from core.storage.clock import now_of
from core.storage.database import Database
from core.storage.hearing_tables import SlackBudgetRow

# With the time, and in the order of the names: the windows as they are, and as they shall be.
Change = Callable[[float, list[Window]], list[Window]]

TIMEOUT_S = 0.5  # a call to Slack does not wait longer than that for Redis
AWAY_S = 5.0  # until Redis is asked again after it was away
KEEP_S = 900  # a window is forgotten when nothing has happened for so long

log = logs.get(__name__)


class Budgets:
    """The windows of one app in one workspace, whose name is `owner`."""

    def __init__(self, url: str, database: Database, owner: str) -> None:
        self._redis = _client(url)
        self._database = database
        self._owner = owner
        self._one_thread = threading.Lock()  # of a process, so that processes seldom collide
        self._ask_again_at = 0.0

    def change(self, names: Sequence[str], change: Change) -> None:
        """Change windows in one step that nobody comes between."""
        full = [f"groundwire:slack:{self._owner}:{name}" for name in names]
        if time.monotonic() >= self._ask_again_at:
            try:
                with self._one_thread:
                    self._change_in_redis(full, change)
                return
            except redis.RedisError as error:
                self._ask_again_at = time.monotonic() + AWAY_S
                log.warning("outbox.redis_away", error=str(error))
        self._change_in_sql(full, change)

    def _change_in_redis(self, names: list[str], change: Change) -> None:
        with self._redis.pipeline() as pipe:
            while True:
                try:
                    pipe.watch(*names)  # type: ignore[no-untyped-call]
                    stored: Any = pipe.mget(names)
                    before = [read(each) for each in stored]
                    after = change(_seconds(pipe.time()), before)
                    pipe.multi()
                    for name, window in zip(names, after, strict=True):
                        pipe.set(name, window.as_json(), ex=KEEP_S)
                    pipe.execute()
                    return
                except redis.WatchError:
                    continue  # another process was faster

    def _change_in_sql(self, names: list[str], change: Change) -> None:
        with self._database.one_at_a_time("slack-budget") as session:
            now = float(session.exec(select(now_of(session))).one())
            found = session.exec(select(SlackBudgetRow).where(col(SlackBudgetRow.name).in_(names)))
            stored = {row.name: row.window for row in found}
            before = [read(stored.get(name)) for name in names]
            for name, window in zip(names, change(now, before), strict=True):
                session.merge(SlackBudgetRow(name=name, window=window.as_json()))


@cache
def _client(url: str) -> redis.Redis:
    """One for all outboxes of a process."""
    return redis.Redis.from_url(
        url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S, decode_responses=True
    )


def _seconds(redis_time: Any) -> float:
    seconds, microseconds = redis_time
    return float(seconds) + float(microseconds) / 1e6
