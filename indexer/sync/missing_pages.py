"""Confirms pages that a complete listing lacks, one by one, before anything is removed.

A clear answer (archived, trashed, in a space that is not ours) removes a page. One that is refused
or not found may only be hidden from us: it is hidden from readers at once, and removed when the
next complete listing lacks it too. If the source does not answer, the page stays.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from core import logs
from core.errors import SourceError, SourceRefused
from core.page_source import PageSource, Whereabouts
from core.pages import PageStatus
from core.storage import clock
from indexer.access.acl_updates import AclUpdater
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage

CLEAR = {PageStatus.ARCHIVED, PageStatus.TRASHED, PageStatus.DRAFT}

log = logs.get(__name__)


def confirm(
    missing: Sequence[IndexedPage],
    source: PageSource,
    page_state: PageState,
    acl_updater: AclUpdater,
    space_ids: Set[str],
    counts: Counts,
) -> None:
    """Find out what became of each of these pages; pages moved to `space_ids` are left to those."""
    for each in missing:
        try:
            found = source.whereabouts(each.page)
        except SourceRefused:
            found = Whereabouts(PageStatus.REFUSED)
        except SourceError as error:
            log.warning("sync.not_confirmed", page=each.page.id, error=str(error))
            continue
        if found.status is PageStatus.CURRENT and found.space_id in space_ids:
            continue  # it moved to another of our spaces
        _remove(each, found, page_state, acl_updater, counts)


def _remove(
    each: IndexedPage,
    found: Whereabouts,
    page_state: PageState,
    acl_updater: AclUpdater,
    counts: Counts,
) -> None:
    page = each.page.model_copy(update={"status": found.status})
    is_elsewhere = found.status is PageStatus.CURRENT and bool(found.space_id)
    is_clear = is_elsewhere or found.status in CLEAR
    is_last = is_clear or each.missing_since is not None
    if each.visible:
        missing_since = None if is_last else clock.now()
        acl_updater.hide(page, counts, missing_since=missing_since)
    if is_last:
        page_state.remove(page)
    elif not each.visible:
        page_state.mark_missing(page.id)
    log.info("sync.page_removed", page=page.id, status=found.status, removed=is_last)
