"""Sync: spaces and how fresh they are, pages that fail and why, and what nobody is shown."""

from __future__ import annotations

from starlette.responses import Response

from console.guard import Visit
from console.reports import spaces


def show(visit: Visit) -> Response:
    database = visit.parts.database
    return visit.show(
        "sync",
        spaces=spaces.spaces(database),
        failing=spaces.failing(database),
    )
