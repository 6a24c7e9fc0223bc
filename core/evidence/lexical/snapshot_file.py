"""The lexical index as a file, so that a process need not start from an empty one."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core import logs
from core.evidence.lexical.bm25f import Postings
from core.evidence.lexical.snapshot import Snapshot
from core.pages import PageKey

_OF_PAGES = ("titles", "unsettled", "belong_to", "edges")
_ARRAYS = ("keys", "counts", "lengths")  # of core.evidence.lexical.bm25f.Postings
_NAMED = ("identity", "revision", "mark", "piece_ids", "acls", "page_keys", *_OF_PAGES)

# What zip, numpy and JSON raise for bytes that they do not understand.
DAMAGED = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    NotImplementedError,
    BadZipFile,
    zlib.error,
)

log = logs.get(__name__)


def save(path: Path, snapshot: Snapshot) -> None:
    """Written beside it and renamed: another process may be reading the old one."""
    named = {name: getattr(snapshot, name) for name in _NAMED}
    named["plain"] = sorted(snapshot.plain)
    named["terms"] = list(snapshot.pieces.terms)
    arrays: dict[str, Any] = {"page_of": snapshot.page_of}
    for name in _ARRAYS:
        arrays[f"pieces_{name}"] = getattr(snapshot.pieces, name)
        arrays[f"pages_{name}"] = getattr(snapshot.pages, name)
    header = json.dumps(named).encode()
    arrays["named"] = np.frombuffer(header, np.uint8)
    new = path.with_suffix(f".{os.getpid()}.npz")
    with new.open("wb") as file:
        np.savez(file, **arrays)
        os.fsync(file.fileno())  # else a power loss may leave an empty file under the new name
    new.replace(path)


def load(path: Path) -> Snapshot:
    """What the file holds; an empty snapshot when there is none, or when it cannot be read."""
    if not path.exists():
        return Snapshot()
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return _checked(_read({name: file[name] for name in file.files}))
    except DAMAGED as error:
        log.warning("lexical.unreadable", error=str(error))
        return Snapshot()


def _read(arrays: dict[str, NDArray[Any]]) -> Snapshot:
    named = json.loads(arrays["named"].tobytes())
    terms = {term: number for number, term in enumerate(named["terms"])}
    return Snapshot(
        identity=named["identity"],
        revision=named["revision"],
        mark=named["mark"],
        pieces=Postings(terms, *(arrays[f"pieces_{name}"] for name in _ARRAYS)),
        pages=Postings(terms, *(arrays[f"pages_{name}"] for name in _ARRAYS)),
        piece_ids=tuple(named["piece_ids"]),
        acls=tuple(named["acls"]),
        page_keys=tuple(PageKey(*each) for each in named["page_keys"]),
        page_of=arrays["page_of"],
        plain=frozenset(named["plain"]),
        **{name: tuple(named[name]) for name in _OF_PAGES},
    )


def _checked(snapshot: Snapshot) -> Snapshot:
    """
    Raises:
        ValueError: parts of it are of different lengths.
    """
    pieces, pages = snapshot.pieces.size, snapshot.pages.size
    of_pages = [getattr(snapshot, name) for name in ("page_keys", *_OF_PAGES)]
    of_pieces = [snapshot.piece_ids, snapshot.acls, snapshot.page_of]
    if {pages} != set(map(len, of_pages)) or {pieces} != set(map(len, of_pieces)):
        raise ValueError("its parts do not belong together")
    if pieces and not 0 <= snapshot.page_of.min() <= snapshot.page_of.max() < pages:
        raise ValueError("a piece stands on no page")
    return snapshot
