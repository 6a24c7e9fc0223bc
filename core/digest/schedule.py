"""The schedule of the digest: when that of a week is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.settings.digest import weekly_time

# One that could not be made for so long is left out: nobody wants Monday's news on Thursday.
LATE_S = 86_400.0


def due(text: str, now: float) -> int | None:
    """When the digest that is to be sent now was due; None while there is none to be sent.

    >>> due("thu 08:00", 8 * 3600.0 + 60)  # 1970 began on a Thursday
    28800
    >>> due("thu 08:00", 8 * 3600.0 - 60) is None
    True
    """
    weekday, hour, minute = weekly_time(text)
    moment = datetime.fromtimestamp(now, UTC)
    last = moment.replace(hour=hour, minute=minute, second=0, microsecond=0)
    last -= timedelta(days=(moment.weekday() - weekday) % 7)
    if last > moment:
        last -= timedelta(days=7)
    seconds = last.timestamp()
    return int(seconds) if now - seconds <= LATE_S else None
