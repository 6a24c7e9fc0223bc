"""The time that a report is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, col, func, select

from core.storage import clock
from core.storage.tables import ThreadRow

DAY_S = 86_400.0
CHOICES = (1, 7, 30, 90)  # days
USUAL = 7


@dataclass(frozen=True)
class ReportPeriod:
    """From `since` on, in seconds since 1970; days are UTC."""

    days: int
    since: float

    @property
    def dates(self) -> tuple[str, ...]:
        """Its days in ISO 8601, today last."""
        today = datetime.fromtimestamp(clock.now(), UTC).date()
        first = today - timedelta(days=self.days - 1)
        return tuple((first + timedelta(days=each)).isoformat() for each in range(self.days))

    def day_of(self, seconds: float) -> str:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def period(days: str) -> ReportPeriod:
    """The days that a query asks for; the usual ones where it asks for none that are offered."""
    chosen = int(days) if days.isascii() and days.isdigit() and len(days) < 4 else USUAL
    if chosen not in CHOICES:
        chosen = USUAL
    midnight = clock.now() // DAY_S * DAY_S
    return ReportPeriod(chosen, midnight - (chosen - 1) * DAY_S)


def teams(session: Session) -> Sequence[str]:
    """The workspaces that have asked: with them an index finds turns of a time."""
    found: list[str] = []
    while True:
        after = func.min(ThreadRow.team)
        last = found[-1] if found else ""
        team = session.exec(select(after).where(col(ThreadRow.team) > last)).one()
        if team is None:
            return found
        found.append(team)
