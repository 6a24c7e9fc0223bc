"""What a source has told of who may read pages, as if a worker had asked it."""

from __future__ import annotations

from collections.abc import Mapping

from core.access import confirmations
from core.access.confirmations import Confirmation
from core.pages import PageKey
from core.storage.database import Database

VALID_S = 10.0  # the default of CONFIRM_VALID_S


def told(database: Database, audience: str, verdicts: Mapping[PageKey, bool], at: float) -> None:
    """Write these verdicts down as of that moment, in seconds since 1970."""
    found = {key: Confirmation(may, at, at + VALID_S) for key, may in verdicts.items()}
    confirmations.record(database, audience, found)
