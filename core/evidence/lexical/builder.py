"""Builds postings from pages that go into the lexical index, one after the other.

They are kept as small as they are in the index: a wiki's words as objects of Python take ten times
as much.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.evidence.lexical.analyzer import plain_words
from core.evidence.lexical.bm25f import FIELDS, Arrays, FieldTerms, counted
from core.pages import PageKey


@dataclass(frozen=True)
class PieceEntry:
    """What the index needs to know of one piece."""

    evidence_id: str
    acl_id: str  # who may find it
    path: str
    body: str
    # False: a row whose words stand in its table too, which count once for the page.
    in_page: bool = True


@dataclass(frozen=True)
class PageEntries:
    """A page as it is now; without pieces it disappears."""

    key: PageKey
    acl_id: str
    title: str
    pieces: Sequence[PieceEntry]
    unsettled: bool = False  # a draft, a copy, archived; see core.evidence.lexical.page_status
    listing: bool = False  # it only lists other pages
    belongs_to: str = ""  # its space and its owner, by their names


class Terms:
    """The terms of pieces, or of pages, as postings of their own; places are counted from 0."""

    def __init__(self, numbers: dict[str, int]) -> None:
        """`numbers`, of terms, grows by those that are new."""
        self._numbers = numbers
        self._keys = array("q")
        self._counts = array("H")
        self._lengths = array("f")

    def add(self, piece: FieldTerms) -> None:
        place = len(self._lengths) // FIELDS
        rows: dict[int, list[int]] = {}
        for field, counts in enumerate(piece):
            self._lengths.append(sum(counts.values()))
            for term, count in counts.items():
                number = self._numbers.setdefault(term, len(self._numbers))
                row = rows.setdefault(number, [0] * FIELDS)
                row[field] = min(count, 65535)
        for number, row in rows.items():
            self._keys.append(number << 32 | place)
            self._counts.extend(row)

    def sorted(self) -> Arrays:
        """With ascending keys."""
        keys = np.asarray(self._keys, np.int64)
        counts = np.asarray(self._counts, np.uint16).reshape(-1, FIELDS)
        lengths = np.array(self._lengths, np.float32).reshape(-1, FIELDS)
        order = np.argsort(keys)
        return Arrays(keys[order], counts[order], lengths)


class Incoming:
    """What pages bring into an index; shapes and names are those of `Snapshot`."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.replaced: set[PageKey] = set()  # pages, also those that have disappeared
        self.pieces = Terms(numbers)
        self.pages = Terms(numbers)
        self.piece_ids: list[str] = []
        self.acls: list[str] = []
        self.page_keys: list[PageKey] = []
        self.titles: list[str] = []
        self.unsettled: list[bool] = []
        self.listings: list[bool] = []
        self.belong_to: list[str] = []
        self.page_of = array("i")
        self.plain: set[str] = set()

    def add(self, page: PageEntries) -> None:
        self.replaced.add(page.key)
        if not page.pieces:
            return
        counts = [counted(page.title, piece.path, piece.body) for piece in page.pieces]
        self.plain |= plain_words(page.title)
        for piece, found in zip(page.pieces, counts, strict=True):
            self.pieces.add(found)
            self.page_of.append(len(self.page_keys))
            self.piece_ids.append(piece.evidence_id)
            self.acls.append(piece.acl_id)
            self.plain |= plain_words(piece.path) | plain_words(piece.body)
        self.pages.add(_whole(page, counts))
        self.page_keys.append(page.key)
        self.titles.append(page.title)
        self.unsettled.append(page.unsettled)
        self.listings.append(page.listing)
        self.belong_to.append(page.belongs_to)


def _whole(page: PageEntries, counts: Sequence[FieldTerms]) -> FieldTerms:
    """The page as one piece: what all its readers may read, or a score would tell of the rest."""
    paths: dict[str, None] = {}  # in order, each once
    body: dict[str, int] = {}
    for piece, found in zip(page.pieces, counts, strict=True):
        if piece.acl_id != page.acl_id:
            continue
        paths[piece.path] = None
        if piece.in_page:
            for term, count in found.body.items():
                body[term] = body.get(term, 0) + count
    whole = counted(page.title, " ".join(paths), "")
    return whole._replace(body=body)
