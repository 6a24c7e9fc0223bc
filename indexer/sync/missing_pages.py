"""Pages that a complete listing lacks are asked for one by one before anything is taken away.

A clear answer (archived, trashed, in a space that is not ours) removes a page. One that is refused, or not found, may only be hidden from
us: it is hidden from readers at once, and removed when the next complete listing lacks it too. No answer says nothing: it stays.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from core import logs
from core.confluence import Confluence, Whereabouts
from core.errors import ConfluenceError, ConfluenceRefused
from indexer.access.acl_updates import Guard
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage

CLEAR = {"archived", "trashed", "draft"}

log = logs.get(__name__)


def confirm(
    missing: Sequence[IndexedPage],
    confluence: Confluence,
    ledger: PageState,
    guard: Guard,
    space_ids: set[str],
    counts: Counts,
) -> None:
    """Find out what became of each of these pages; `space_ids` are the spaces whose own syncs take over what has moved there."""
    for each in missing:
        try:
            found = confluence.whereabouts(each.page)
        except ConfluenceRefused:
            found = Whereabouts("refused")
        except ConfluenceError as error:
            log.warning("sync.not_confirmed", page=each.page.id, error=str(error))
            continue
        if found.status == "current" and found.space_id in space_ids:
            continue  # it moved to another of our spaces
        _take_away(each, found, ledger, guard, counts)


def _take_away(
    each: IndexedPage, found: Whereabouts, ledger: PageState, guard: Guard, counts: Counts
) -> None:
    page = each.page.model_copy(update={"status": found.status})
    is_clear = found.status in CLEAR or (found.status == "current" and bool(found.space_id))
    is_last = is_clear or each.missing_since is not None
    if each.visible:
        guard.gone(page, counts, missing_since=None if is_last else time.time())
    if is_last:
        ledger.remove(page)
    elif not each.visible:
        ledger.missed(page.id)
    log.info("sync.taken_away", page=page.id, status=found.status, removed=is_last)
