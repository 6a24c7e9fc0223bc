"""Skew of this host from the clock by which leases run out, and the bound for a start.

What programs compare goes by the database's clock (core.storage.clock). The host's own is left for
Slack's signatures, certificates and logs; one that is far off is to be mended.
"""

from __future__ import annotations

from core.errors import SettingsError
from core.storage import clock
from core.storage.clock import measure
from core.storage.database import Database

TIMES = 3  # the first question may have to wait for a connection


def measure_skew(database: Database) -> float:
    """Seconds by which this host's clock is ahead of the database's; negative: behind.

    Exact to half of the time that the question takes.

    Raises:
        SQLAlchemyError: the database does not answer.
    """
    with database.reading() as session:
        for _ in range(TIMES):
            measure(session)
    return clock.shared.skew_s()


def require_clock(database: Database, bound_s: float) -> None:
    """
    Raises:
        SettingsError: the clocks are further apart than that.
    """
    ahead_s = measure_skew(database)
    if abs(ahead_s) > bound_s:
        way = "ahead of" if ahead_s > 0 else "behind"
        raise SettingsError(
            f"this host's clock is {abs(ahead_s):.1f} s {way} the database's, and CLOCK_SKEW_S "
            f"allows {bound_s:g}: have both hosts set by NTP (timedatectl set-ntp true), "
            "or raise CLOCK_SKEW_S"
        )
