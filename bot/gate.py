"""The gate: whether what a text gives away was confirmed for its readers a moment ago.

The bot knows no source of pages: it compares page keys with what workers have written down in
core.access.confirmations. bot.slack_api.sender, the only way out to Slack, asks it for everything.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.access import confirmations
from core.access.disclosure import Disclosure
from core.pages import PageKey
from core.storage import clock
from core.storage.database import Database


@dataclass(frozen=True)
class Gate:
    """`valid_s`: how long a confirmation counts, see CONFIRM_VALID_S."""

    database: Database
    valid_s: float

    def age_s(self, shows: Disclosure) -> float | None:
        """How long ago these pages were asked about, the longest; None for text without pages."""
        if not shows.pages:
            return None
        at = confirmations.oldest(self.database, shows)
        return None if at is None else clock.now() - at

    def stale(self, shows: Disclosure, *, share: float = 1.0) -> set[PageKey]:
        """The pages that these readers may not be shown now; of `valid_s`, only a share counts."""
        rest_s = (1 - share) * self.valid_s
        now = clock.now() + rest_s
        return confirmations.unconfirmed(self.database, shows, now=now, valid_s=self.valid_s)
