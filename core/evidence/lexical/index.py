"""The words of all evidence, in memory: of pieces and of whole pages, who may find them, and a file to start from.

A cache that is fed from SQL by revision. What it holds of one revision is a `Snapshot` that never changes, so a search works on one
moment, whatever another thread brings in meanwhile.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core import logs
from core.evidence.lexical.analyzer import asked, plain_words
from core.evidence.lexical.bm25f import Postings, without
from core.evidence.lexical.builder import Incoming, PageEntries
from core.evidence.lexical.page_status import superseded

FORMAT = 8  # raise it when the terms, what counts as unsettled or the file change: the file is then made anew
SAVED_AFTER = 0.02  # of all pages must have changed for the file to be written again

T = TypeVar("T")

log = logs.get(__name__)


@dataclass(frozen=True)
class Snapshot:
    """The index at one revision; pieces and pages are named by their places in these tuples."""

    identity: str = ""  # of the database it was made from
    revision: int = -1
    pieces: Postings = field(default_factory=Postings)
    pages: Postings = field(default_factory=Postings)
    piece_ids: tuple[str, ...] = ()
    acls: tuple[str, ...] = ()  # of each piece
    page_ids: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()  # of each page
    unsettled: tuple[bool, ...] = ()  # of each page
    page_of: NDArray[np.int32] = field(
        default_factory=lambda: np.zeros(0, np.int32)
    )  # the place of each piece's page
    plain: frozenset[str] = (
        frozenset()
    )  # words as they are written, of this revision and of earlier ones

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each piece."""
        return {piece: place for place, piece in enumerate(self.piece_ids)}

    @cached_property
    def outdated(self) -> NDArray[np.bool_]:
        """Which pieces stand on pages that are not the ones to go by; shape (pieces,)."""
        pages = np.array(self.unsettled, np.bool_) | superseded(self.titles)
        return pages[self.page_of]

    @cached_property
    def title_terms(self) -> list[frozenset[str]]:
        """Of each page, what its title is named by: its words without those that every sentence has."""
        return [frozenset(word.terms[0] for word in asked(title)) for title in self.titles]

    @cached_property
    def title_words(self) -> list[str]:
        return sorted(
            set().union(*(plain_words(title) for title in self.titles)) if self.titles else ()
        )

    def readable(
        self, acls: Collection[str], pages: Collection[str] | None = None
    ) -> NDArray[np.bool_]:
        """Which pieces stand under these ACLs, and on these pages (None: on any); shape (pieces,)."""
        names, codes = self._acl_codes
        mask: NDArray[np.bool_] = np.array([name in acls for name in names], np.bool_)[codes]
        if pages is None:
            return mask
        wanted = np.array([page in pages for page in self.page_ids], np.bool_)
        return mask & wanted[self.page_of]

    @cached_property
    def _acl_codes(self) -> tuple[list[str], NDArray[np.int64]]:
        names = sorted(set(self.acls))
        numbers = {name: number for number, name in enumerate(names)}
        return names, np.fromiter((numbers[acl] for acl in self.acls), np.int64, len(self.acls))

    def incoming(self, pages: Iterable[PageEntries]) -> Incoming:
        """These pages, read one after the other, with the numbers that terms have here."""
        new = Incoming(self.pieces.terms)
        for page in pages:
            new.add(page)
        return new

    def changed(self, new: Incoming, *, identity: str, revision: int) -> Snapshot:
        """The next snapshot: these pages replaced, everything else as it was."""
        kept_pages = without(
            len(self.page_ids),
            [place for place, page_id in enumerate(self.page_ids) if page_id in new.replaced],
        )
        kept = kept_pages[self.page_of]
        places = np.cumsum(kept_pages) - 1
        return Snapshot(
            identity=identity,
            revision=revision,
            pieces=self.pieces.changed(kept, new.pieces.sorted()),
            pages=self._pages.changed(kept_pages, new.pages.sorted()),
            piece_ids=(*_those(self.piece_ids, kept), *new.piece_ids),
            acls=(*_those(self.acls, kept), *new.acls),
            page_ids=(*_those(self.page_ids, kept_pages), *new.page_ids),
            titles=(*_those(self.titles, kept_pages), *new.titles),
            unsettled=(*_those(self.unsettled, kept_pages), *new.unsettled),
            page_of=np.concatenate(
                [places[self.page_of[kept]], kept_pages.sum() + np.asarray(new.page_of)]
            ).astype(np.int32),
            plain=self.plain | new.plain,
        )

    @property
    def _pages(self) -> Postings:
        """With the same numbers for terms as the pieces."""
        return self.pages if self.pages.size else Postings(terms=self.pieces.terms)


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
                self._snapshot = self._snapshot or _load(self._path)
        return self._snapshot

    def revision(self, identity: str) -> int:
        """The revision of the index in SQL that this has caught up with; -1 when it was made from another database."""
        return self.snapshot.revision if self.snapshot.identity == identity else -1

    def catch_up(
        self, pages: Iterable[PageEntries], *, identity: str, since: int, revision: int
    ) -> None:
        """Replace these pages, which are read one after the other, and remember the revision.

        Does nothing, and reads none, when another thread has moved past `since` meanwhile: its pages may be newer than ours.
        """
        with self._lock:
            before = self._snapshot or Snapshot()
            if (before.revision if before.identity == identity else -1) != since:
                return
            before = Snapshot() if since < 0 else before
            new = before.incoming(pages)
            self._snapshot = before.changed(new, identity=identity, revision=revision)
            self._saved += len(new.replaced)
            if since < 0 or self._saved > SAVED_AFTER * len(self._snapshot.page_ids):
                self._saved = 0
                _save(self._path, self._snapshot)

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        return self.snapshot.pieces.frequency(term)

    def size(self) -> int:
        """How many pieces there are."""
        return self.snapshot.pieces.size


def _those(names: tuple[T, ...], kept: NDArray[np.bool_]) -> list[T]:
    return [names[place] for place in np.flatnonzero(kept)]


def _save(path: Path, snapshot: Snapshot) -> None:
    """Written beside it and renamed: another process may be reading the old one."""
    named = {
        name: getattr(snapshot, name)
        for name in ("identity", "revision", "piece_ids", "acls", "page_ids", "titles", "unsettled")
    }
    named |= {"plain": sorted(snapshot.plain), "terms": list(snapshot.pieces.terms)}
    arrays = {
        f"{kind}_{name}": getattr(getattr(snapshot, kind), name)
        for kind in ("pieces", "pages")
        for name in _ARRAYS
    }
    new = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(
        new,
        named=np.frombuffer(json.dumps(named).encode(), np.uint8),
        page_of=snapshot.page_of,
        **arrays,
    )
    new.replace(path)


_ARRAYS = ("keys", "counts", "lengths")


def _load(path: Path) -> Snapshot:
    """What the file holds; nothing when there is none, or when it cannot be read: then it is made anew."""
    if not path.exists():
        return Snapshot()
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return _read({name: file[name] for name in file.files})
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        log.warning("lexical.unreadable", error=str(error))
        return Snapshot()


def _read(arrays: dict[str, NDArray[Any]]) -> Snapshot:
    named = json.loads(arrays["named"].tobytes())
    terms = {term: number for number, term in enumerate(named["terms"])}
    pieces, pages = (
        Postings(terms, *(arrays[f"{kind}_{name}"] for name in _ARRAYS))
        for kind in ("pieces", "pages")
    )
    return Snapshot(
        identity=named["identity"],
        revision=named["revision"],
        pieces=pieces,
        pages=pages,
        piece_ids=tuple(named["piece_ids"]),
        acls=tuple(named["acls"]),
        page_ids=tuple(named["page_ids"]),
        titles=tuple(named["titles"]),
        unsettled=tuple(named["unsettled"]),
        page_of=arrays["page_of"],
        plain=frozenset(named["plain"]),
    )
