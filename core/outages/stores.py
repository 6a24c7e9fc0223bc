"""Looks at the stores for health and for the start: whether SQL and Redis answer."""

from __future__ import annotations

from collections.abc import Callable

import redis
from redis.exceptions import AuthenticationError, RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.errors import SettingsError, StoreUnavailable
from core.outages.health import OK, Check
from core.settings import Settings
from core.storage import clock
from core.storage.database import Database, open_database
from core.storage.skew import require_clock

TIMEOUT_S = 2.0
AWAY = "does not answer"


class RedisLook:
    """Whether Redis answers."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S
        )

    def __call__(self) -> None:
        """Ask it.

        Raises:
            StoreUnavailable: it does not answer.
            SettingsError: it refuses the password.
        """
        try:
            self._redis.ping()
        except AuthenticationError as error:
            raise SettingsError(
                "Redis refuses the name or password in REDIS_URL: see its requirepass and ACLs"
            ) from error
        except RedisError as error:
            raise StoreUnavailable(
                "Redis does not answer: is REDIS_URL right, and is redis-server running?"
            ) from error


def open_database_in_time(chosen: Settings) -> Database:
    """The migrated database, whose clock this host's agrees with.

    Raises:
        SettingsError: it does not.
    """
    database = open_database(chosen.sql_url)
    require_clock(database, chosen.clock_skew_s)
    return database


def clock_state(chosen: Settings) -> dict[str, str]:
    """This host's clock as a line of /readyz: it is to be mended, but nothing here goes by it."""
    ahead_s = clock.shared.skew_s()
    is_right = abs(ahead_s) <= chosen.clock_skew_s
    return {"clock": OK if is_right else f"{ahead_s:+.1f} s from the database's"}


def database_look(database: Database) -> Callable[[], None]:
    """Whether the database answers; raises SQLAlchemyError while it does not."""

    def look() -> None:
        with database.reading() as session:
            session.connection().execute(text("SELECT 1"))

    return look


def check(look: Callable[[], object]) -> Check:
    """The same look as a word for /readyz."""

    def word() -> str:
        try:
            look()
        except (StoreUnavailable, SettingsError, SQLAlchemyError):
            return AWAY
        return OK

    return word
