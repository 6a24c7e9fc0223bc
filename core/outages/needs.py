"""Needs: a program waits at its start for what it needs, such as the database, and says for what.

Until then it says what it waits for, in its log and to whoever asks whether it is ready. Waiting
here rather than ending keeps a program alive that a supervisor would give up on, and says why.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core import logs
from core.errors import SettingsError
from core.outages.back_off import until_there
from core.outages.health import Health
from core.storage.outages import OUTAGES

FIRST_S, LONGEST_S = 2.0, 15.0  # pauses between two looks

log = logs.get(__name__)


@dataclass(frozen=True)
class Need:
    """What a program needs; `look` raises while it is away.

    `at_most_s`: how long it is waited for where the program can do without.
    """

    name: str
    look: Callable[[], object]
    at_most_s: float = math.inf


def await_all(needs: Iterable[Need], health: Health) -> None:
    """Return once each was there, one after the other.

    Raises:
        SettingsError: what only the operator can change.
    """
    for need in needs:
        health.waits_for(need.name)
        try:
            _await(need)
        except OUTAGES as error:
            if isinstance(error, SettingsError) or math.isinf(need.at_most_s):
                raise
            log.warning("start.goes_on_without", needs=need.name)


def _await(need: Need) -> None:
    until_there(
        need.look,
        event="start.waits",
        longest_s=LONGEST_S,
        first_s=FIRST_S,
        at_most_s=need.at_most_s,
        needs=need.name,
    )
