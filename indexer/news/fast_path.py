"""Asks which pages were edited in the last minutes, by CQL: a fast path, which tells news only.

It moves no watermark and removes nothing: what it misses, the listing of the next sync shows.
"""

from __future__ import annotations

import math
import time

from core import logs
from core.access import page_news
from core.pages import PageKey
from indexer.state.page_state import PageState
from indexer.sync.scheduler import Round

# CQL knows whole minutes, and its index lags behind the site: each question asks for more than the
# time since the last one.
OVERLAP_MIN = 2
FEWEST_MIN = 3

log = logs.get(__name__)


class FastPath:
    """Remembers when it was last answered; after a restart the first sync has seen everything."""

    def __init__(self) -> None:
        self._answered = time.monotonic()

    def ask(self, latest: Round) -> None:
        """Tell the pages that are of another version than in the index.

        Raises:
            SourceError: no answer; the next question asks for that time too.
        """
        begun = time.monotonic()
        source, database = latest.parts.source, latest.parts.store.database
        versions = source.changed(latest.spaces, minutes(begun - self._answered))
        known = PageState(database, source.name).rows(versions)
        new: list[PageKey] = []
        for page_id, version in versions.items():
            row = known.get(page_id)
            if row is None or row.page.version != version:
                new.append(PageKey(source.name, page_id))
        page_news.tell(database, new)
        self._answered = begun
        log.debug("news.asked", edited=len(versions), new=len(new))


def minutes(elapsed_s: float) -> int:
    """How far to look back.

    >>> minutes(5), minutes(60), minutes(601)
    (3, 3, 13)
    """
    return max(FEWEST_MIN, math.ceil(elapsed_s / 60) + OVERLAP_MIN)
