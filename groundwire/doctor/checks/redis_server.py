"""Redis, which carries the queue: whether it answers, keeps what it is given, and how fast."""

from __future__ import annotations

import time
from typing import Any

import redis
from redis.exceptions import AuthenticationError, RedisError

from groundwire.doctor.finding import HealthFinding, NotTried, ok, warning, wrong
from groundwire.doctor.patient import Patient, once

TIMEOUT_S = 4.0
OLDEST = (5, 0)
SLOW_MS = 20.0
CURE = "is REDIS_URL right, and redis-server running? `honcho start redis` starts it"
NO_EVICTION = "noeviction"


@once
def told(at: Patient) -> dict[str, Any]:
    """What the server says of itself.

    Raises:
        RedisError: it does not answer.
    """
    found: dict[str, Any] = dict(_client(at).info())
    return found


def reachable(at: Patient) -> HealthFinding:
    try:
        said = told(at)
    except AuthenticationError:
        return wrong("refuses the password", "the password in REDIS_URL: redis://:PASSWORD@HOST/0")
    except (RedisError, ValueError) as error:
        return wrong(f"does not answer ({type(error).__name__})", CURE, may_come=True)
    name = str(said.get("server_name", "redis")).capitalize()
    version = str(said.get("valkey_version") or said.get("redis_version", ""))
    if tuple(map(int, version.split(".")[:2])) < OLDEST:
        return wrong(f"{name} {version} is too old", "Redis 5 or newer, or Valkey")
    return ok(f"{name} {version}")


def keeps(at: Patient) -> HealthFinding:
    """Nothing is lost without it, but people wait until the sweeper finds their questions."""
    said = _told(at)
    if said.get("aof_enabled"):
        return ok("writes what it is given to its disk (appendonly)")
    return warning(
        "forgets the queue when it ends: waiting questions then take some seconds more",
        "`appendonly yes`, as in the Procfile",
    )


def eviction(at: Patient) -> HealthFinding:
    said = _told(at)
    policy = str(said.get("maxmemory_policy", ""))
    if not policy:
        raise NotTried("the server does not say what it does when its memory is full")
    evicted = int(said.get("evicted_keys", 0))
    if policy != NO_EVICTION:
        return wrong(
            f"throws keys away when its memory is full ({policy}; {evicted} so far)",
            f"`maxmemory-policy {NO_EVICTION}`: the queue is no cache",
        )
    return ok("throws nothing away when its memory is full")


def latency(at: Patient) -> HealthFinding:
    _told(at)
    client, taken = _client(at), []
    for _ in range(9):
        began = time.perf_counter()
        client.ping()
        taken.append((time.perf_counter() - began) * 1000)
    quickest = min(taken)  # the others waited for this machine, which is busy with other checks
    if quickest > SLOW_MS:
        return warning(f"{quickest:.0f} ms a call", "a Redis nearer to the programs")
    return ok(f"{quickest:.1f} ms a call")


def measured(at: Patient) -> tuple[float, float]:
    """Its clock against ours, in seconds, and half the time that asking took."""
    _told(at)
    client = _client(at)
    client.ping()
    sent = time.time()
    seconds, micros = client.time()
    half = (time.time() - sent) / 2
    return seconds + micros / 1e6 - sent - half, half


def _told(at: Patient) -> dict[str, Any]:
    try:
        return told(at)
    except (RedisError, ValueError) as error:
        raise NotTried("Redis does not answer") from error


def _client(at: Patient) -> redis.Redis:
    return redis.Redis.from_url(
        at.settings.redis_url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S
    )
