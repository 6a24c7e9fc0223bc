"""Builds a segment from pages that go into the lexical index, one after the other."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.evidence.lexical.page_edges import Keys
from core.evidence.lexical.segments.codes import Codes, codes_of
from core.evidence.lexical.segments.packed import Lists, Names, Texts
from core.evidence.lexical.segments.segment import Segment, named, titles_of
from core.evidence.lexical.segments.terms import FieldNumbers, Terms, WrittenWords
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
    position: int = 0  # order on the page
    vector: bytes = b""  # as core.storage.index_tables.EmbeddingRow has it, where codes are wanted


@dataclass(frozen=True)
class PageEntries:
    """A page as it is now; without pieces it disappears."""

    key: PageKey
    acl_id: str
    title: str
    pieces: Sequence[PieceEntry]
    unsettled: bool = False  # a draft, a copy, archived; see core.evidence.lexical.page_status
    belongs_to: str = ""  # its space and its owner, by their names
    edges: Keys = ()  # the sentences at its ends; see core.evidence.lexical.page_edges

    @property
    def space(self) -> str:
        """Of which source, and its key there."""
        return f"{self.key.source}\n{self.belongs_to.split(' ', 1)[0]}"


class Incoming:
    """What pages bring into an index."""

    def __init__(self) -> None:
        self.replaced: set[PageKey] = set()  # pages, also those that have disappeared
        self.pieces = Terms()
        self.pages = Terms()
        self.piece_ids: list[str] = []
        self.acls: list[str] = []
        self.there: list[PageEntries] = []  # pages that have pieces, without these
        self.page_of = array("i")
        self._codes: list[Codes] = []  # of each piece, shape (1, words)
        self._words = WrittenWords()

    @property
    def terms(self) -> list[str]:
        """By their numbers."""
        return list(self._words.numbers)

    @property
    def plain(self) -> set[str]:
        return self._words.plain

    @property
    def size(self) -> int:
        """How many pieces have come in."""
        return len(self.piece_ids)

    def add(self, page: PageEntries) -> None:
        self.replaced.add(page.key)
        if not page.pieces:
            return
        found = self._numbered(page)
        for piece, numbers in zip(page.pieces, found, strict=True):
            self.pieces.add(numbers)
            self.page_of.append(len(self.there))
            self.piece_ids.append(piece.evidence_id)
            self.acls.append(piece.acl_id)
            self._codes.append(codes_of(np.frombuffer(piece.vector, "<f4").reshape(1, -1)))
        self.pages.add(self._whole(page, found))
        self.there.append(replace(page, pieces=()))

    def segment(self) -> Segment:
        """All of it."""
        hashes, pages = self._words.hashes(), self.there
        acls = sorted(set(self.acls))
        number = {acl: place for place, acl in enumerate(acls)}
        spaces = [page.space for page in pages]
        unsettled = [page.unsettled for page in pages]
        return Segment(
            pieces=self.pieces.postings(hashes),
            pages=self.pages.postings(hashes),
            piece_ids=Names.of(self.piece_ids),
            acl_of=np.array([number[acl] for acl in self.acls], np.int32),
            acls=Texts.of(acls),
            page_of=np.array(self.page_of, np.int32),
            page_keys=Names.of([named(page.key) for page in pages]),
            titles=titles_of([page.title for page in pages], spaces, unsettled),
            unsettled=np.array(unsettled, np.bool_),
            belong_to=Texts.of(page.belongs_to for page in pages),
            edges=Lists.of(page.edges for page in pages),
            plain=Texts.of(sorted(self._words.plain)),
            codes=_together(self._codes),
        )

    def _numbered(self, page: PageEntries) -> list[FieldNumbers]:
        title = self._words.of(page.title)
        paths = {path: self._words.of(path) for path in {piece.path for piece in page.pieces}}
        return [
            FieldNumbers(title, paths[piece.path], self._words.of(piece.body))
            for piece in page.pieces
        ]

    def _whole(self, page: PageEntries, found: Sequence[FieldNumbers]) -> FieldNumbers:
        """The page as one piece: what all its readers may read, or a score tells of the rest."""
        paths: dict[str, None] = {}  # in order, each once
        body: list[int] = []
        for piece, numbers in zip(page.pieces, found, strict=True):
            if piece.acl_id != page.acl_id:
                continue
            paths[piece.path] = None
            if piece.in_page:
                body += numbers.body
        return FieldNumbers(found[0].title, self._words.of(" ".join(paths)), body)


def _together(codes: Sequence[Codes]) -> Codes:
    """A piece without a vector has an empty code."""
    words = max((each.shape[1] for each in codes), default=0)
    found = np.zeros((len(codes), words), np.uint64)
    for place, each in enumerate(codes):
        if each.shape[1]:
            found[place] = each[0]
    return found
