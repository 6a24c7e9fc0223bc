"""Pages on their way into the lexical index, one after the other.

They are kept as small as they are in the index: a wiki's words as objects of Python take ten times as much.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.evidence.lexical.analyzer import plain_words
from core.evidence.lexical.bm25f import FIELDS, Arrays, FieldTerms, counted


@dataclass(frozen=True)
class PieceEntry:
    """What the index needs to know of one piece."""

    evidence_id: str
    acl_id: str  # who may find it
    path: str
    body: str
    in_page: bool = (
        True  # False: a row whose words stand in its table too, which count once for the page
    )


@dataclass(frozen=True)
class PageEntries:
    """A page as it is now; without pieces it disappears."""

    page_id: str
    acl_id: str
    title: str
    pieces: Sequence[PieceEntry]
    unsettled: bool = False  # a draft, a copy, archived; see core.evidence.lexical.page_status


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
        for number, counts in enumerate(piece):
            for term, count in counts.items():
                rows.setdefault(self._numbers.setdefault(term, len(self._numbers)), [0] * FIELDS)[
                    number
                ] = min(count, 65535)
        self._keys.extend(term << 32 | place for term in rows)
        self._counts.extend(chain.from_iterable(rows.values()))
        self._lengths.extend(sum(counts.values()) for counts in piece)

    def sorted(self) -> Arrays:
        """With ascending keys."""
        keys, counts = (
            np.asarray(self._keys, np.int64),
            np.asarray(self._counts, np.uint16).reshape(-1, FIELDS),
        )
        order = np.argsort(keys)
        return Arrays(
            keys[order], counts[order], np.array(self._lengths, np.float32).reshape(-1, FIELDS)
        )


class Incoming:
    """What pages bring into an index; shapes and names are those of `Snapshot`."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.replaced: set[str] = set()  # pages, also those that have disappeared
        self.pieces, self.pages = Terms(numbers), Terms(numbers)
        self.piece_ids: list[str] = []
        self.acls: list[str] = []
        self.page_ids: list[str] = []
        self.titles: list[str] = []
        self.unsettled: list[bool] = []
        self.page_of = array("i")
        self.plain: set[str] = set()

    def add(self, page: PageEntries) -> None:
        self.replaced.add(page.page_id)
        if not page.pieces:
            return
        counts = [counted(page.title, piece.path, piece.body) for piece in page.pieces]
        for each in counts:
            self.pieces.add(each)
        self.pages.add(_whole(page, counts))
        self.page_of.extend([len(self.page_ids)] * len(page.pieces))
        self.piece_ids += [piece.evidence_id for piece in page.pieces]
        self.acls += [piece.acl_id for piece in page.pieces]
        self.page_ids.append(page.page_id)
        self.titles.append(page.title)
        self.unsettled.append(page.unsettled)
        self.plain.update(*(plain_words(text) for text in _texts(page)))


def _whole(page: PageEntries, counts: Sequence[FieldTerms]) -> FieldTerms:
    """The page as one piece: only of what all its readers may read, or a score would tell of the rest."""
    own = [
        (piece, found)
        for piece, found in zip(page.pieces, counts, strict=True)
        if piece.acl_id == page.acl_id
    ]
    path = " ".join(dict.fromkeys(piece.path for piece, _ in own))
    whole = counted(page.title, path, "")
    body: dict[str, int] = {}
    for piece, found in own:
        for term, count in found.body.items() if piece.in_page else ():
            body[term] = body.get(term, 0) + count
    return whole._replace(body=body)


def _texts(page: PageEntries) -> Iterable[str]:
    yield page.title
    for piece in page.pieces:
        yield piece.path
        yield piece.body
