"""Attachments, after all pages of all spaces: reads those that wait, then their pages again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from core.outages.report import report
from core.page_source import BODIES, Space
from core.storage.outages import OUTAGES
from indexer.state.page_state import PageState
from indexer.sync.parts import SyncParts
from indexer.sync.told_pages import ToldPages, read_told

# Characters of new text that are made evidence before the next file is read: the budget of a sync
# counts the time that this takes, too.
HEAVY = 300_000

# The lease of a space, None while another indexer has it.
Holding = Callable[[Space], AbstractContextManager[object | None]]


def read_attachments(
    parts: SyncParts,
    spaces: Sequence[Space],
    *,
    period_s: float,
    holding: Holding,
) -> None:
    """Spend the sync's budget on attachments; nothing that goes wrong here fails the sync."""
    state = PageState(parts.store.database, parts.source.name)
    batch: dict[str, int] = {}  # how much text is new on which page

    def index() -> None:
        _index(parts, spaces, list(batch), period_s=period_s, holding=holding)
        batch.clear()

    try:
        for page_id, characters in parts.extras.read_waiting():
            # If nobody gets to it below, the next sync does.
            state.mark_outdated([page_id])
            batch[page_id] = batch.get(page_id, 0) + characters
            if len(batch) == BODIES or sum(batch.values()) > HEAVY:
                index()
        index()
    except OUTAGES as error:
        report("attachments.failed", error)


def _index(
    parts: SyncParts,
    spaces: Sequence[Space],
    page_ids: Sequence[str],
    *,
    period_s: float,
    holding: Holding,
) -> None:
    """Make the evidence of these pages anew, by their restrictions as they are now."""
    current = parts.source.listed(page_ids, spaces) if page_ids else []
    for space in spaces:
        here = [each for each in current if each.page.space == space.key]
        if not here:
            continue
        with holding(space) as held:
            if held is not None:
                told = ToldPages(frozenset(each.page.id for each in here), here)
                space_ids = {each.id for each in spaces}
                read_told(parts, space, told, space_ids=space_ids, period_s=period_s)
