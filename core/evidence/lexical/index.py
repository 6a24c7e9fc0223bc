"""Lexical index of this host, as this process sees it: fed from SQL by revision.

A snapshot never changes, so a search works on one moment, whatever another thread brings in
meanwhile. Most of it is a file that all processes of the host map; what has changed since that was
made is in memory, until one of them makes a file of both.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from core import logs
from core.evidence.lexical.builder import Incoming, PageEntries
from core.evidence.lexical.host_files import HostFiles
from core.evidence.lexical.segments.segment import Segment
from core.evidence.lexical.snapshot import Snapshot
from core.storage.index_tables import IndexRow

AT_ONCE = 100_000  # pieces that are analyzed, or merged in a search, in memory
# So many pages must have changed, and such a share of all, for the changes to be written again …
SAVED_AT_LEAST, SAVED_AFTER = 20, 0.005
MERGED_AT_LEAST, MERGED_AFTER = 100, 0.05  # … and for one index to be made of all
LONGEST_S = 86_400.0  # after so long few changes are enough for that
PAUSE_S = 300.0  # after something could not be written

log = logs.get(__name__)


class LexicalIndex:
    """The snapshot of this process: the index of this host, and what has changed since."""

    def __init__(self, folder: Path, coder: Callable[[str], str] | None = None) -> None:
        """With `coder` it holds codes of vectors.

        That says of a value of IndexRow.embedder under which name SQL keeps its vectors.
        """
        self._files = HostFiles(folder)
        self._coder = coder
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._seen = ""  # the signature of the file that was looked at last
        self._working: threading.Thread | None = None
        self._not_before = 0.0  # when something may be written again that could not be
        self._unsaved = 0  # pages that changed since the files were written

    @property
    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            with self._lock:
                if self._snapshot is None:
                    self._snapshot = self._loaded()
        return self._snapshot

    def revision(self, identity: str) -> int:
        """The revision in SQL that this has caught up with; -1 when made from another database."""
        return revision_of(self.snapshot, identity)

    def is_at(self, state: IndexRow) -> bool:
        """Whether this is made from all that SQL has."""
        return self.snapshot.is_at(state)

    def is_beyond(self, state: IndexRow) -> bool:
        """Whether this is made from all that SQL had then, and perhaps from more."""
        return revision_of(self.snapshot, state.identity) >= state.revision

    def lacks_codes(self, state: IndexRow) -> bool:
        """Whether codes are wanted, and those of these vectors are not there."""
        return self.snapshot.coder != self.coder(state) != ""

    def coder(self, state: IndexRow) -> str:
        """The name of the embedder of whose vectors codes are wanted; empty where none are."""
        return self._coder(state.embedder) if self._coder and state.embedder else ""

    def exchanged(self) -> Snapshot | None:
        """What another process has made of this host's files since they were looked at."""
        before = self._seen
        if not self.has_been_exchanged:
            return None
        with self._lock:
            return self._loaded() if self._seen == before else None

    @property
    def has_been_exchanged(self) -> bool:
        return self._files.signature() != self._seen

    def catch_up(
        self,
        pages: Iterable[PageEntries],
        *,
        identity: str,
        since: int,
        revision: int,
        mark: str = "",
        coder: str = "",
        start: Snapshot | None = None,
        known: Snapshot | None = None,
    ) -> None:
        """Replace these pages, which are read one after the other, and keep the revision.

        `since` is the revision of `start`, or of what is there. Does nothing, and reads none, when
        `known` is there no more: another thread's pages may be newer than ours.
        """
        with self._lock:
            before = self._snapshot or Snapshot()
            if known is not None and known is not before:
                return
            if known is None and revision_of(before, identity) != since:
                return
            if since < 0:
                built = replace(Snapshot.of(self._segments(pages)), coder=coder)
                made = replace(built, identity=identity, revision=revision, mark=mark)
                self._snapshot = self._exchanged_for(made)
                return
            new = Incoming()
            for page in pages:
                new.add(page)
            self._unsaved += len(new.replaced)
            changed = (start or before).changed(new.segment(), new.replaced)
            made = replace(changed, identity=identity, revision=revision, mark=mark)
            self._snapshot = self._saved(made)

    def make_anew(self, pages: Iterable[PageEntries], state: IndexRow) -> None:
        """Have a file of all these pages made beside what is in use, unless somebody is at it."""
        with self._files.lock(is_waiting=False) as is_ours:
            if is_ours:
                built = replace(Snapshot.of(self._segments(pages)), coder=self.coder(state))
                of = {"identity": state.identity, "revision": state.revision, "mark": state.mark}
                made = replace(built, **of)  # type: ignore[arg-type]
                self._written(lambda: self._files.save(made))

    def merge_what_is_old(self) -> None:
        """Pages that went stay in the file for a day at most."""
        snapshot = self.snapshot
        if snapshot.unmerged and self._files.age_s() > LONGEST_S:
            self.beside(lambda: self._exchange(snapshot))

    def leave(self) -> None:
        """Nothing of a page stays in the files where another engine finds them."""
        if self._files.signature():
            with self._files.lock(is_waiting=False) as is_ours:
                if is_ours:
                    self._files.delete()

    def building(self) -> AbstractContextManager[bool]:
        """Waits until no other process of this host makes an index, which is then there."""
        return self._files.lock(is_waiting=True)

    def beside(self, work: Callable[[], object]) -> None:
        """Do this beside the searches, unless something else is being done."""
        is_free = self._working is None or not self._working.is_alive()
        if is_free and time.monotonic() > self._not_before:
            self._working = threading.Thread(target=work, daemon=True)
            self._working.start()

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        return self.snapshot.frequency(term)

    def size(self) -> int:
        """How many pieces there are."""
        return self.snapshot.pieces.size

    def _loaded(self) -> Snapshot:
        self._seen = self._files.signature()
        return self._files.load()

    def _segments(self, pages: Iterable[PageEntries]) -> list[Segment]:
        """Of all these pages; what does not fit into memory at once waits in files."""
        segments: list[Segment] = []
        new = Incoming()
        for page in pages:
            new.add(page)
            if new.size >= AT_ONCE:
                segments.append(self._spilled(new.segment()))
                new = Incoming()
        segments.append(new.segment())
        return segments

    def _spilled(self, segment: Segment) -> Segment:
        try:
            return self._files.spill(segment)
        except OSError as error:
            log.warning("lexical.not_saved", error=str(error))
            return segment

    def _saved(self, changed: Snapshot) -> Snapshot:
        """The same, kept for others when enough has changed."""
        pages = changed.pages.size
        if changed.unmerged > max(MERGED_AT_LEAST, MERGED_AFTER * pages):
            if changed.pieces.total <= AT_ONCE:
                return self._exchanged_for(changed)
            self.beside(lambda: self._exchange(changed))
        elif self._unsaved > max(SAVED_AT_LEAST, SAVED_AFTER * pages) and changed.file:
            self._keep(changed)
        return changed

    def _exchanged_for(self, snapshot: Snapshot) -> Snapshot:
        """The same, mapped from the file that it is now; in memory where it cannot be saved."""
        if not self._exchange(snapshot):
            return snapshot
        loaded = self._loaded()
        is_it = (loaded.identity, loaded.revision) == (snapshot.identity, snapshot.revision)
        return loaded if is_it else snapshot

    def _exchange(self, snapshot: Snapshot) -> bool:
        """Have one file of it all; False where another process is at it, or the disk is full."""
        with self._files.lock(is_waiting=False) as is_ours:
            if is_ours:
                return self._written(lambda: self._files.save(snapshot))
        return False

    def _keep(self, snapshot: Snapshot) -> None:
        with self._files.lock(is_waiting=False) as is_ours:
            if is_ours and self._files.signature() == self._seen:
                self._written(lambda: self._files.save_changes(snapshot))

    def _written(self, write: Callable[[], None]) -> bool:
        self._unsaved = 0
        try:
            write()
        except OSError as error:
            log.warning("lexical.not_saved", error=str(error))
            self._not_before = time.monotonic() + PAUSE_S
            return False
        return True


def revision_of(snapshot: Snapshot, identity: str) -> int:
    """The revision that it was made at; -1 when made from another database."""
    return snapshot.revision if snapshot.identity == identity else -1
