"""Settings that are in force and where they come from, and the audit log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import SecretStr
from starlette.responses import Response

from console.guard import Visit
from core.policy import audit
from core.settings import Settings, environment
from core.storage import clock

# What an address may carry beside the host: a name with a password, and parameters.
MOST_ENTRIES = 200  # of the audit log on one page
_WITH_SECRET = re.compile(r"(?<=://)[^/@\s]*@|\?\S*")


@dataclass(frozen=True)
class ShownSetting:
    """A setting as it may be shown: of a secret only whether there is one."""

    name: str
    value: str
    origin: str  # empty: nobody has set it
    is_secret: bool


def show(visit: Visit) -> Response:
    entries = audit.newest(visit.parts.database, _time(visit.asked("before")), MOST_ENTRIES)
    return visit.show(
        "settings",
        settings=shown_settings(visit.parts.settings),
        entries=entries,
        most=MOST_ENTRIES,
    )


def shown_settings(settings: Settings) -> list[ShownSetting]:
    shown = []
    for field in sorted(type(settings).model_fields):
        value, name = getattr(settings, field), field.upper()
        origin = environment.origin(name)
        shown.append(ShownSetting(name, _shown(value), origin, isinstance(value, SecretStr)))
    return shown


def _shown(value: Any) -> str:
    if isinstance(value, SecretStr):
        return "•••" if value.get_secret_value() not in ("", "none") else ""
    if isinstance(value, Enum):
        value = value.value
    return "" if value is None else _WITH_SECRET.sub("…", str(value))


def _time(asked: str) -> float:
    """Now, where the address says no time."""
    try:
        return float(asked)
    except ValueError:
        return clock.now() + 1
