"""Retry policy for a delivery that Slack or the gate refuses: whether to try again, how soon."""

from __future__ import annotations

from bot.slack_api.errors import NEEDS_AN_ADMIN, PlaceGone, SlackRefused
from core import logs
from core.storage import clock

SLOW_S = 300.0  # between two attempts at the most
GIVE_UP_S = 86_400.0  # nobody waits for an answer of yesterday that Slack has refused ever since

log = logs.get(__name__)


def again_in_s(error: SlackRefused, since: float) -> float | None:
    """Seconds until the next attempt at a delivery that is open `since`; None to give up.

    The wait is half of the delivery's age, so a short outage costs little and a long one no flood.
    """
    age = clock.now() - since
    if isinstance(error, PlaceGone):
        log.error("deliver.no_place_left", error=error.code)
        return None
    if error.code in NEEDS_AN_ADMIN:
        log.error(
            "deliver.slack_refuses_the_bot",
            error=error.code,
            cure="the bot's token, its scopes, or its place in the workspace",
            again_in_s=SLOW_S,
        )
        return SLOW_S
    if age > GIVE_UP_S:
        log.error("deliver.given_up", error=error.code)
        return None
    wait = wait_s(since)
    log.error(
        "deliver.refused",
        error=error.code,
        again_in_s=round(wait),
        exc_info=error,
    )
    return wait


def wait_s(since: float) -> float:
    """Seconds until the next attempt at what is open `since`."""
    age = clock.now() - since
    return min(SLOW_S, max(0.0, age / 2))
