"""One step in the trace of a turn: what went in, what came out, seconds, and which module."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Facts = dict[str, Any]  # ready for JSON


@dataclass(frozen=True)
class TraceStep:
    """What a module was given and what it made of it; `seconds` are None where nobody measured."""

    name: str
    module: str  # its path in the repository
    inputs: Facts
    outputs: Facts
    seconds: float | None = None


def utc(seconds: float) -> str:
    """A time since 1970 as people read it.

    >>> utc(1_795_240_800)
    '2026-11-21T06:00:00+00:00'
    """
    at = datetime.fromtimestamp(seconds, UTC)
    return at.isoformat(timespec="seconds")
