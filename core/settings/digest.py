"""Settings of the weekly digest: when it is sent, and to whom."""

from __future__ import annotations

from datetime import datetime

from pydantic import field_validator
from pydantic_settings import BaseSettings

from core.settings.values import words

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def weekly_time(text: str) -> tuple[int, int, int]:
    """Weekday, hour and minute of `mon 08:00`, in UTC.

    >>> weekly_time("fri 16:30")
    (4, 16, 30)

    Raises:
        ValueError: it says no such time.
    """
    day, _, hour = text.strip().lower().partition(" ")
    if day not in DAYS:
        raise ValueError("a day and a time in UTC, such as `mon 08:00`")
    at = datetime.strptime(hour.strip(), "%H:%M")
    return DAYS.index(day), at.hour, at.minute


class DigestSettings(BaseSettings):
    """A part of core.settings.Settings."""

    digest_channels: str = ""
    digest_owners: bool = False
    digest_at: str = "mon 08:00"

    @field_validator("digest_at")
    @classmethod
    def _is_a_time(cls, text: str) -> str:
        weekly_time(text)
        return text

    @property
    def has_digest(self) -> bool:
        return bool(self.digest_channels) or self.digest_owners

    def digest_channels_of(self, team: str) -> list[str]:
        """Channels of operators in this workspace: those that name it, and those that name none.

        >>> DigestSettings(digest_channels="C1,T2/C2").digest_channels_of("T2")
        ['C1', 'C2']
        """
        found = []
        for each in words(self.digest_channels):
            workspace, _, channel = each.rpartition("/")
            if workspace in ("", team):
                found.append(channel)
        return found
