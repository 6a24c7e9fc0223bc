"""Syncs a space by reconciling what is listed with what is indexed, never from a bookmark.

A page fails by itself: its row keeps the reason and the next try, its old evidence stays, the rest
goes on. Nothing is removed on doubt: a listing that breaks off or shrinks too much removes nothing.
Who may read a page changes before anything else does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core import logs
from core.errors import SourceError
from core.evidence.lexical.catching_up import catch_up
from core.evidence.lexical.index import SAVED_AFTER
from core.page_source import Space
from core.storage import clock
from core.storage.index_tables import SyncRow
from core.storage.outages import OUTAGES, sentence
from indexer.state.counts import Counts
from indexer.state.runs import last_run, save_run
from indexer.sync.parts import SyncParts
from indexer.sync.reconcile import SyncTimes, reconcile

log = logs.get(__name__)


class Indexer:
    """Syncs spaces, one at a time."""

    def __init__(
        self,
        parts: SyncParts,
        spaces: Sequence[Space],
        *,
        period_s: float,
    ) -> None:
        """`period_s` is the time within which what no listing shows is read again."""
        self._parts = parts
        self._space_ids = {space.id for space in spaces}
        self._period_s = period_s
        self._is_searchable = True  # as far as this round knows

    def sync(self, space: Space, *, allow_shrink: bool = False) -> Counts:
        """Bring one space up to date.

        Raises:
            SourceError: the listing could not be read to its end; nothing was removed.
            StoreUnavailable: the vector store, the database or the embedder does not answer.
        """
        source, database = self._parts.source, self._parts.store.database
        run, counts = SyncRow(source=source.name, space=space.key), Counts()
        before = source.requests
        since = last_run(database, source.name, space.key)
        save_run(database, run)
        try:
            reconcile(
                self._parts,
                space,
                counts,
                SyncTimes(clock.now(), since, self._period_s),
                space_ids=self._space_ids,
                allow_shrink=allow_shrink,
            )
            run.complete = True
            counts.unread = self._unread(space)
            self._make_ready(counts)
        except OUTAGES as error:
            run.error = sentence(error) or type(error).__name__
            raise
        finally:
            counts.requests = source.requests - before
            run.finished_at = clock.now()
            run.counts = counts.numbers()
            save_run(database, run)
            log.info(
                "synced",
                source=source.name,
                space=space.key,
                complete=run.complete,
                **run.counts,
            )
        return counts

    def _unread(self, space: Space) -> dict[str, int] | None:
        """For `status` alone: where it fails, spaces are synced all the same.

        It is not tried again in this round: each try may take minutes.
        """
        if not self._is_searchable:
            return None
        try:
            items = self._parts.source.unread(space)
        except SourceError as error:
            log.warning("unread.unknown", space=space.key, error=str(error))
            self._is_searchable = False
            return None
        return dict(Counter(item.kind for item in items))

    def _make_ready(self, counts: Counts) -> None:
        """What the next search would have to wait for, after a sync that changed many pages."""
        store = self._parts.store
        if counts.indexed:
            store.database.refresh_statistics()
        if counts.indexed > SAVED_AFTER * counts.listed:
            catch_up(store.database, store.lexical)
