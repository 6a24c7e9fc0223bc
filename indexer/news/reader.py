"""Reads the pages that news is of, in batches, under the same lease as a sync of their space.

A page is struck off when it was read, or is proven gone. What cannot be read now waits a while;
what a running sync of its space holds up is closed first if it must be, see indexer.news.closing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core import logs
from core.access import page_news
from core.jobs.leases import lease
from core.outages.report import report
from core.page_source import Space
from core.pages import PageKey
from core.storage import clock
from core.storage.outages import OUTAGES
from indexer.news.closing import close, closed_by
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage
from indexer.sync.scheduler import Round, lease_key
from indexer.sync.told_pages import ToldPages, read_told

LOOKED_AT = 1000  # told pages, among which those are found whose turn it is
# Pages read under one lease: a sync that is due waits for it a few seconds, and not much longer.
BATCH = 20
LATER_S = 30.0  # what could not be read waits so long

log = logs.get(__name__)


@dataclass
class Held:
    """Pages of a space that wait for its running sync, and those that were closed meanwhile."""

    told: set[tuple[str, float]] = field(default_factory=set)  # id, when it was told
    closed: set[str] = field(default_factory=set)


class NewsReader:
    """Reads what was told; remembers what has to wait, which may be lost."""

    def __init__(self) -> None:
        self._later: dict[tuple[str, float], float] = {}
        self._held: dict[str, Held] = {}

    def read(self, latest: Round) -> None:
        """Read the pages whose turn it is.

        Raises:
            GroundwireError: something does not answer; all that was told is kept.
        """
        self._look_after_held(latest)
        told = self._due(latest)
        if not told:
            return
        source, database = latest.parts.source, latest.parts.store.database
        state = PageState(database, source.name)
        before = state.rows(told)
        self._later |= dict.fromkeys(told.items(), time.monotonic() + LATER_S)
        pages = ToldPages(frozenset(told), source.listed(sorted(told), latest.spaces))
        places = _places(pages, before)
        unread = set[str]()
        for space in _affected(latest, pages, before):
            mine = {key for key in told.items() if space.key in places[key[0]]}
            if not self._read(latest, space, pages, mine):
                unread.add(space.key)
        done = {each: at for each, at in told.items() if unread.isdisjoint(places[each])}
        read = _read_well(state, pages, done, latest)
        page_news.strike(database, source.name, read)
        _log(told, read)

    def _due(self, latest: Round) -> dict[str, float]:
        database, source = latest.parts.store.database, latest.parts.source.name
        waiting = page_news.waiting(database, source, most=LOOKED_AT)
        self._later = {key: at for key, at in self._later.items() if key in waiting.items()}
        held = set[tuple[str, float]]().union(*(each.told for each in self._held.values()))
        now = time.monotonic()
        due: dict[str, float] = {}
        for key in waiting.items():
            if key not in held and self._later.get(key, 0.0) <= now and len(due) < BATCH:
                due[key[0]] = key[1]
        return due

    def _read(
        self,
        latest: Round,
        space: Space,
        pages: ToldPages,
        mine: set[tuple[str, float]],
    ) -> bool:
        """Whether the told pages of a space were read: `mine`, with when they were told."""
        parts = latest.parts
        try:
            with lease(parts.store.database, lease_key(parts.source, space)) as is_ours:
                if is_ours:
                    ids = frozenset(each.id for each in latest.spaces)
                    opened = read_told(parts, space, pages, space_ids=ids, period_s=latest.period_s)
                    _tell(latest, opened)
                    return True
            self._hold(latest, space, pages, mine)
        except OUTAGES as error:
            report("news.failed", error, space=space.key)
        return False

    def _hold(
        self,
        latest: Round,
        space: Space,
        pages: ToldPages,
        mine: set[tuple[str, float]],
    ) -> None:
        """Close what has to be closed, and wait for the sync that is going on."""
        ids = frozenset(page_id for page_id, _ in mine)
        closed = closed_by(latest.parts, space, ToldPages(ids, pages.current))
        shown = close(latest.parts, closed)
        held = self._held.setdefault(space.key, Held())
        held.told |= mine
        held.closed |= closed
        log.info("news.held", space=space.key, pages=len(mine), closed=shown)

    def _look_after_held(self, latest: Round) -> None:
        """Pages of a space whose sync has ended have their turn; the others are closed again."""
        parts = latest.parts
        for space in latest.spaces:
            held = self._held.get(space.key)
            if held is None:
                continue
            with lease(parts.store.database, lease_key(parts.source, space)) as is_ours:
                if is_ours:
                    del self._held[space.key]
                    for key in held.told:
                        self._later.pop(key, None)
                else:
                    close(parts, held.closed)


def _places(pages: ToldPages, before: Mapping[str, IndexedPage]) -> dict[str, set[str]]:
    """The keys of the spaces where each told page is, and where it was."""
    places: dict[str, set[str]] = {page_id: set() for page_id in pages.ids}
    for listed in pages.current:
        places[listed.page.id].add(listed.page.space)
    for page_id, known in before.items():
        places[page_id].add(known.page.space)
    return places


def _affected(
    latest: Round,
    pages: ToldPages,
    before: Mapping[str, IndexedPage],
) -> Iterator[Space]:
    """Spaces where told pages are now, then those where they were."""
    now = {each.page.space for each in pages.current}
    were = {each.page.space for each in before.values()}
    yield from (space for space in latest.spaces if space.key in now)
    yield from (space for space in latest.spaces if space.key in were - now)


def _tell(latest: Round, page_ids: set[str]) -> None:
    source = latest.parts.source.name
    keys = [PageKey(source, each) for each in page_ids]
    page_news.tell(latest.parts.store.database, keys)


def _read_well(
    state: PageState,
    pages: ToldPages,
    told: Mapping[str, float],
    latest: Round,
) -> dict[str, float]:
    """The told pages that the index is in step with now."""
    after = state.rows(told)
    current = {each.page.id: each.page for each in pages.current}
    ours = {space.key for space in latest.spaces}
    read: dict[str, float] = {}
    for page_id, at in told.items():
        row, page = after.get(page_id), current.get(page_id)
        if page is not None:
            is_read = row is not None and row.readers is not None and row.next_try == 0.0
        else:  # gone, or none of ours
            is_read = row is None or not row.visible or row.page.space not in ours
        if is_read:
            read[page_id] = at
    return read


def _log(told: Mapping[str, float], read: Mapping[str, float]) -> None:
    oldest = min(read.values(), default=None)
    seconds = None if oldest is None else round(clock.now() - oldest, 2)
    log.info("news.read", told=len(told), read=len(read), seconds_since_told=seconds)
