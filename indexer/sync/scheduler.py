"""Syncs all spaces in a round: rebuild vectors, each space, attachments, group members."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from core import logs
from core.access.policy import read_policy
from core.errors import SettingsError, StoreUnavailable
from core.evidence import EvidenceStore
from core.evidence.dense.rebuild import needs_rebuild, rebuild
from core.jobs.leases import SECONDS, Lease, lease
from core.outages.disk_space import require_disk_space
from core.outages.report import report
from core.page_source import PageSource, Space
from core.settings import Settings
from core.storage.database import Database
from core.storage.outages import OUTAGES
from indexer.access.owners import read_owners
from indexer.access.permissions import read_people
from indexer.parse.formats import FORMATS, BodyFormat
from indexer.state.runs import forget_failed_listing, save_failed_listing
from indexer.sync.attachments_pass import read_attachments
from indexer.sync.extras import Extras
from indexer.sync.parts import SyncParts
from indexer.sync.progress import progress
from indexer.sync.space_sync import Indexer

# As long as the lease of a killed indexer lasts; a living one keeps it longer.
WAIT_S = SECONDS + 2

log = logs.get(__name__)


@dataclass(frozen=True)
class Round:
    """What a round works with: asked of the source when it began."""

    parts: SyncParts
    spaces: tuple[Space, ...]
    period_s: float  # within which what no listing shows is read again


class SyncScheduler:
    """Syncs all configured spaces of a source, as often as asked."""

    def __init__(
        self,
        settings: Settings,
        source: PageSource,
        store: EvidenceStore,
        formats: Mapping[str, BodyFormat] = FORMATS,
    ) -> None:
        self._settings = settings
        self._source = source
        self._store = store
        self._formats = formats
        self._extras = Extras(source, settings, store.database)
        self.latest: Round | None = None  # of the last round that began
        self.lost = False  # whether something that the last round needs did not answer

    @property
    def source(self) -> str:
        """The name of the source."""
        return self._source.name

    @property
    def database(self) -> Database:
        return self._store.database

    def sync(self, *, allow_shrink: bool) -> bool:
        """Whether all went well; a space that fails holds up no other, and no later round raises.

        Raises:
            SettingsError: in the first round, a setting names a space or a group that is not there.
        """
        self.lost = False
        try:
            require_disk_space(self._settings)
            self._rebuild_if_needed()
            spaces = self._source.spaces(self._settings.space_keys)
            chosen = read_policy(self._settings, self._source)
            forget_failed_listing(self._store.database, self.source)
        except OUTAGES as error:
            # A setting that was right in the round before: a listing cut short looks the same.
            if isinstance(error, SettingsError) and self.latest is None:
                raise
            return self._not_listed(error)
        parts = SyncParts(self._source, self._store, chosen, self._extras, self._formats)
        period_s = self._settings.confluence_scan_period_s
        self.latest = Round(parts, tuple(spaces), period_s)
        indexer = Indexer(parts, spaces, period_s=period_s)
        good = True
        for space in spaces:
            good = self._sync_space(indexer, space, allow_shrink=allow_shrink) and good
        read_attachments(parts, spaces, period_s=period_s, holding=self._holding)
        if good:
            self._read_owners()
        if good and chosen.aware:
            return self._read_people()
        return good

    def _not_listed(self, error: Exception) -> bool:
        """Nothing can be synced; `status` says why, also when nothing ever was."""
        self.lost = True
        said = report("sync.failed", error)
        try:
            save_failed_listing(self._store.database, self.source, said)
        except OUTAGES as worse:  # where even that cannot be written, the log is all there is
            report("sync.failure_not_saved", worse)
        return False

    def _rebuild_if_needed(self) -> None:
        """Rebuild the vectors when the store has lost some, or another embedder is wanted.

        Without the vector store the round goes on: ACLs and removed pages do not wait for vectors.
        """
        try:
            why = needs_rebuild(self._store.database, self._store.dense)
            if why:
                log.warning("rebuild.needed", why=why)
                rebuild_watched(self._store)
        except StoreUnavailable as error:
            self.lost = True
            report("rebuild.impossible", error)

    def _sync_space(
        self,
        indexer: Indexer,
        space: Space,
        *,
        allow_shrink: bool,
    ) -> bool:
        try:
            with self._holding(space) as held:
                if held is None:
                    log.info("sync.skipped", space=space.key, reason="another indexer is at it")
                    return True
                return indexer.sync(space, allow_shrink=allow_shrink).failed == 0
        except OUTAGES as error:
            self.lost = True
            report("sync.failed", error, space=space.key)
            return False

    def _holding(self, space: Space) -> AbstractContextManager[Lease | None]:
        return _indexer_lease(self._store, lease_key(self._source, space))

    def _read_owners(self) -> None:
        """Nothing but a hand-over needs them."""
        try:
            read_owners(self._source, self._store.database)
        except OUTAGES as error:
            report("owners.failed", error)

    def _read_people(self) -> bool:
        try:
            read_people(self._source, self._store.database)
        except OUTAGES as error:
            self.lost = True
            report("people.failed", error)
            return False
        return True


def lease_key(source: PageSource, space: Space) -> str:
    """Of all work on a space."""
    return f"indexer:{source.name}:{space.key}"


def rebuild_watched(store: EvidenceStore) -> None:
    """Rebuild, showing how far it is; one indexer at a time.

    Raises:
        StoreUnavailable: the vector store or the embedder does not answer.
    """
    with _indexer_lease(store, "indexer:rebuild") as held:
        if held is None:
            log.info("rebuild.skipped", reason="another indexer is at it")
            return
        with progress("rebuild: pages", len(store.visible_pages())) as advance:
            rebuild(store.database, store.dense, report=lambda _done, _of: advance())


@contextmanager
def _indexer_lease(store: EvidenceStore, key: str) -> Iterator[Lease | None]:
    """The lease, if need be once that of a killed indexer ends; None when a living one keeps it."""
    until = time.monotonic() + WAIT_S
    while True:
        with lease(store.database, key) as held:
            if held is not None or time.monotonic() > until:
                yield held
                return
        time.sleep(0.5)
