"""The files of the lexical index on this host, which all its processes share.

`lexical-N.index` is mapped by all of them. `lexical-N.changes` has what changed since it was made,
so that a new process need not read that from SQL. One process at a time writes: whoever holds the
lock, which the system takes back from a process that is killed.
"""

from __future__ import annotations

import fcntl
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core import logs
from core.evidence.lexical.segments import file
from core.evidence.lexical.segments.file import Damaged
from core.evidence.lexical.segments.merge import SegmentPart, merged
from core.evidence.lexical.segments.segment import Segment
from core.evidence.lexical.snapshot import Snapshot

# Raise it when the terms, what counts as unsettled or the file change: the files are then remade.
FORMAT = 16
LOCKED = "lexical.lock"

log = logs.get(__name__)


class HostFiles:
    """Reads and writes them; whatever is damaged is as good as not there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._index = folder / f"lexical-{FORMAT}.index"
        self._changes = folder / f"lexical-{FORMAT}.changes"
        self._mine = threading.local()  # a thread that holds the lock
        self._checked = folder / f"lexical-{FORMAT}.checked"

    def signature(self) -> str:
        """Another one whenever the index was exchanged; empty for none."""
        try:
            found = self._index.stat()
        except FileNotFoundError:
            return ""
        return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"

    def load(self) -> Snapshot:
        """What the files hold; an empty snapshot where there are none that can be used."""
        signature = self.signature()
        if not signature:
            return Snapshot()
        try:
            head, base = self._read(self._index, is_checked=signature != self._checked_signature())
        except (Damaged, OSError) as error:
            log.warning("lexical.unreadable", error=str(error))
            return Snapshot()
        self._note_checked(signature)
        snapshot = Snapshot(
            identity=head["identity"],
            revision=head["revision"],
            mark=head["mark"],
            parts=Snapshot.of([base]).parts,
            file=head["token"],
            coder=head["coder"],
        )
        return self._with_changes(snapshot)

    def save(self, snapshot: Snapshot) -> None:
        """Make one index of all parts of a snapshot.

        Raises:
            OSError: the disk is full, or this account may not write there.
        """
        head = {**_of(snapshot), "token": secrets.token_hex(8)}
        file.write(self._index, snapshot.merged, head)
        self._note_checked(self.signature())
        with suppress(FileNotFoundError):
            self._changes.unlink()

    def save_changes(self, snapshot: Snapshot) -> None:
        """Keep what has changed since the index of this snapshot was made.

        Raises:
            OSError: as above.
        """
        base, *others = snapshot.parts
        gone = np.flatnonzero(~base.kept).tolist()
        head = {**_of(snapshot), "token": snapshot.file, "gone": gone}
        file.write(self._changes, lambda allocate: merged(others, allocate), head)

    def age_s(self) -> float:
        """Seconds since the index was made; 0 for none."""
        try:
            return time.time() - self._index.stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def delete(self) -> None:
        for path in (self._index, self._changes, self._checked):
            path.unlink(missing_ok=True)

    def spill(self, segment: Segment) -> Segment:
        """The same, mapped from a file that is gone when nobody uses it any more.

        Raises:
            OSError: as above.
        """
        path = self._folder / f"lexical-{FORMAT}.{secrets.token_hex(8)}.part"
        try:
            file.write(path, lambda _: segment, {})
            return self._read(path, is_checked=False)[1]
        finally:
            with suppress(FileNotFoundError):
                path.unlink()

    @contextmanager
    def lock(self, *, is_waiting: bool) -> Iterator[bool]:
        """Whether this is the one process that may write now; with `is_waiting` it always is.

        Whoever holds it may ask again.
        """
        if self._mine.__dict__.get("held"):
            yield True
            return
        held = self._locked(is_waiting=is_waiting)
        if held is None:  # where there can be no lock, an index is made in memory
            yield is_waiting
            return
        with held:
            self._mine.held = True
            try:
                self._tidy()
                yield True
            finally:
                self._mine.held = False

    def _locked(self, *, is_waiting: bool) -> BinaryIO | None:
        """The lock, as an open file; None where another process has it, or the disk refuses."""
        try:
            held = (self._folder / LOCKED).open("ab")
        except OSError as error:
            log.warning("lexical.not_locked", error=str(error))
            return None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | (0 if is_waiting else fcntl.LOCK_NB))
        except OSError as error:
            held.close()
            if not isinstance(error, BlockingIOError):
                log.warning("lexical.not_locked", error=str(error))
            return None
        return held

    def _read(self, path: Path, *, is_checked: bool = True) -> tuple[dict[str, Any], Segment]:
        head, segment = file.read(path, Segment, is_checked=is_checked)
        return head, _belonging_together(segment)

    def _tidy(self) -> None:
        """Delete what somebody has left who was killed while they wrote, and other formats."""
        for left in self._folder.glob("lexical-*"):
            if left not in (self._index, self._changes, self._checked):
                left.unlink(missing_ok=True)

    def _with_changes(self, snapshot: Snapshot) -> Snapshot:
        try:
            head, changes = self._read(self._changes)
        except FileNotFoundError:
            return snapshot
        except (Damaged, OSError) as error:
            log.warning("lexical.unreadable", error=str(error))
            return snapshot
        if head["token"] != snapshot.file:
            return snapshot
        kept = snapshot.parts[0].kept.copy()
        kept[head["gone"]] = False
        base = SegmentPart(snapshot.parts[0].segment, kept)
        return replace(
            snapshot,
            revision=head["revision"],
            mark=head["mark"],
            parts=(base, *Snapshot.of([changes]).parts),
        )

    def _checked_signature(self) -> str:
        try:
            return self._checked.read_text()
        except (OSError, UnicodeDecodeError):
            return ""

    def _note_checked(self, signature: str) -> None:
        """Nobody on this host has to read all of it again."""
        try:
            self._checked.write_text(signature)
        except OSError as error:  # the next process reads it all, then
            log.info("lexical.not_noted", error=str(error))


def _of(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "identity": snapshot.identity,
        "revision": snapshot.revision,
        "mark": snapshot.mark,
        "coder": snapshot.coder,
    }


def _belonging_together(segment: Segment) -> Segment:
    """
    Raises:
        Damaged: parts of it are of different lengths.
    """
    pages = {len(segment.page_keys), segment.pages.size, len(segment.unsettled)}
    pages |= {len(segment.titles.texts), len(segment.belong_to), len(segment.edges)}
    pieces = {len(segment.piece_ids), segment.pieces.size}
    pieces |= {len(segment.acl_of), len(segment.page_of)}
    if len(pages) > 1 or len(pieces) > 1:
        raise Damaged("its parts do not belong together")
    return segment
