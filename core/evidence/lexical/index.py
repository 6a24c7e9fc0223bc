"""Lexical index of this process: a snapshot in memory that is fed from SQL by revision.

A snapshot never changes, so a search works on one moment, whatever another thread brings in
meanwhile. A file of this host saves the next process from reading all of SQL.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from core.evidence.lexical import snapshot_file
from core.evidence.lexical.builder import PageEntries
from core.evidence.lexical.snapshot import Snapshot

# Raise it when the terms, what counts as unsettled or the file change: the file is then remade.
FORMAT = 8
SAVED_AFTER = 0.02  # of all pages must have changed for the file to be written again


class LexicalIndex:
    """The snapshot of this process, and the file of this host."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"lexical-{FORMAT}.npz"
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._saved = 0  # pages that changed since the file was written

    @property
    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            with self._lock:
                self._snapshot = self._snapshot or snapshot_file.load(self._path)
        return self._snapshot

    def revision(self, identity: str) -> int:
        """The revision in SQL that this has caught up with; -1 when made from another database."""
        return _revision(self.snapshot, identity)

    def catch_up(
        self,
        pages: Iterable[PageEntries],
        *,
        identity: str,
        since: int,
        revision: int,
    ) -> None:
        """Replace these pages, which are read one after the other, and keep the revision.

        Does nothing, and reads none, when another thread has moved past `since` meanwhile: its
        pages may be newer than ours.
        """
        with self._lock:
            before = self._snapshot or Snapshot()
            if _revision(before, identity) != since:
                return
            if since < 0:
                before = Snapshot()
            new = before.incoming(pages)
            self._snapshot = before.changed(new, identity=identity, revision=revision)
            self._saved += len(new.replaced)
            if since < 0 or self._saved > SAVED_AFTER * len(self._snapshot.page_ids):
                self._saved = 0
                snapshot_file.save(self._path, self._snapshot)

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        return self.snapshot.pieces.frequency(term)

    def size(self) -> int:
        """How many pieces there are."""
        return self.snapshot.pieces.size


def _revision(snapshot: Snapshot, identity: str) -> int:
    return snapshot.revision if snapshot.identity == identity else -1
