"""Syncs a space by reconciling what is listed with what is indexed, never from a bookmark.

A page fails by itself: its row keeps the reason and the next try, its old evidence stays, the rest
goes on. Nothing is removed on doubt: a listing that breaks off or shrinks too much removes nothing.
Who may read a page changes before anything else does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from core import logs
from core.confluence import Confluence, Space
from core.errors import GroundwireError
from core.evidence import EvidenceStore
from core.storage.index_tables import SyncRow
from indexer.access.space_tree import Policy
from indexer.state.counts import Counts
from indexer.state.runs import last_run, save_run
from indexer.sync.extras import Extras
from indexer.sync.reconcile import Reconcile

log = logs.get(__name__)


class Indexer:
    """Syncs spaces, one at a time."""

    def __init__(
        self,
        confluence: Confluence,
        store: EvidenceStore,
        spaces: Sequence[Space],
        policy: Policy,
        *,
        period_s: float,
        extras: Extras,
    ) -> None:
        """`period_s` is the time within which what no listing shows is read again."""
        self._confluence = confluence
        self._store = store
        self._space_ids = {space.id for space in spaces}
        self._policy = policy
        self._period_s = period_s
        self._extras = extras

    def sync(self, space: Space, *, allow_shrink: bool = False) -> Counts:
        """Bring one space up to date.

        Raises:
            ConfluenceError: the listing could not be read to its end; nothing was removed.
            StoreUnavailable: Chroma, the database or the embedder does not answer.
        """
        run, counts = SyncRow(space=space.key), Counts()
        before = self._confluence.requests
        since = last_run(self._store.database, space.key)
        save_run(self._store.database, run)
        try:
            reconcile = Reconcile(self._confluence, self._store, self._policy, self._extras, counts)
            reconcile.run(
                space,
                self._space_ids,
                since=since,
                period_s=self._period_s,
                allow_shrink=allow_shrink,
            )
            run.complete = True
        except GroundwireError as error:
            run.error = str(error)
            raise
        finally:
            counts.requests = self._confluence.requests - before
            run.finished_at = time.time()
            run.counts = vars(counts)
            save_run(self._store.database, run)
            log.info(
                "synced",
                space=space.key,
                complete=run.complete,
                **run.counts,
            )
        return counts
