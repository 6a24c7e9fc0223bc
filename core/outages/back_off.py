"""Back-off: tries again after longer and longer pauses, with jitter, for as long as it takes.

Several programs that lost the same thing do not come back at the same moment.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TypeVar

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_before_delay,
    stop_never,
)
from tenacity.wait import wait_exponential

from core.errors import GroundwireError, SettingsError, SourceError
from core.outages.report import report
from core.storage.outages import OUTAGES

FIRST_S = 10.0  # the bound of the first pause

T = TypeVar("T")


class Lost(GroundwireError):
    """A round did not do all it should: something is lost, and was told already."""


class BackOff(wait_exponential):
    """Pauses of half a bound or more; the bound doubles with each, up to the longest.

    Shorter ones would have a space that is refused for good listed much more often than others.
    """

    def __init__(self, longest_s: float, first_s: float = FIRST_S) -> None:
        super().__init__(multiplier=first_s, max=longest_s)

    def __call__(self, retry_state: RetryCallState) -> float:
        bound = super().__call__(retry_state)
        return random.uniform(bound / 2, bound)


def is_outage(error: BaseException) -> bool:
    """Whether waiting may help: not with a wrong setting, nor with what nobody foresaw.

    What seems wrong only from an answer of the site is no wrong setting yet: it may be ill.
    """
    if isinstance(error, SettingsError):
        return isinstance(error.__cause__, SourceError)
    return isinstance(error, OUTAGES)


def until_there(
    do: Callable[[], T],
    *,
    event: str,
    longest_s: float,
    first_s: float = FIRST_S,
    at_most_s: float = math.inf,
    **where: str,
) -> T:
    """What it returns, once nothing is lost any more; a wrong setting is not waited for.

    Raises:
        SettingsError: what only the operator can change.
        Exception: what was lost is not there after `at_most_s`.
    """
    retrying = Retrying(
        stop=stop_never if math.isinf(at_most_s) else stop_before_delay(at_most_s),
        retry=retry_if_exception(is_outage),
        wait=BackOff(longest_s, first_s),
        before_sleep=lambda state: _told(event, state, where),
        reraise=True,
    )
    return retrying(do)


def _told(event: str, state: RetryCallState, where: dict[str, str]) -> None:
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, Exception) and not isinstance(error, Lost):
        report(event, error, **where)
