"""Builds a segment from pages that go into the lexical index, one after the other.

They are kept as small as they are in the index: a wiki's words as objects of Python take ten times
as much. A word is analyzed once, wherever it stands, and a page's words are counted together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import STOP, is_plain, terms_of, written
from core.evidence.lexical.dates import dates
from core.evidence.lexical.page_edges import Keys
from core.evidence.lexical.segments.codes import Codes, codes_of
from core.evidence.lexical.segments.packed import Hashes, Lists, Names, Texts, hashes_of
from core.evidence.lexical.segments.postings import FIELDS, Floats, Postings, narrowed
from core.evidence.lexical.segments.segment import Segment, named, titles_of
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


class FieldNumbers(NamedTuple):
    """The numbers of the terms of something that can be found, by field, each as often as said."""

    title: Sequence[int]
    path: Sequence[int]
    body: Sequence[int]


class WrittenWords(dict[str, tuple[int, ...]]):
    """The numbers of the terms of each word, as it is written; a date is a word of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}  # of all terms, in the order in which they came
        self.plain: set[str] = set()

    def __missing__(self, word: str) -> tuple[int, ...]:
        if is_plain(word):
            self.plain |= {word.lower()} - STOP
        self[word] = self._numbered(terms_of(word))
        return self[word]

    def of(self, text: str) -> list[int]:
        """The terms of a text, as core.evidence.lexical.analyzer.words has them."""
        found = list(chain.from_iterable(map(self.__getitem__, written(text))))
        return found + list(self._numbered(dates(text)))

    def _numbered(self, terms: Iterable[str]) -> tuple[int, ...]:
        numbers = self.numbers
        return tuple(numbers.setdefault(term, len(numbers)) for term in terms)

    def hashes(self) -> Hashes:
        """Of each term, by its number."""
        return hashes_of(self.numbers)


_SHIFT = np.int64(32)  # a key is a term's number, then the piece's place
_PLACE = 0xFFFFFFFF
AT_ONCE = 200  # pieces that are counted together: one by one takes three times as long


class Terms:
    """The terms of pieces, or of pages, as postings of their own; places are counted from 0."""

    def __init__(self) -> None:
        self._keys: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        self._counts: list[NDArray[np.uint16]] = [np.zeros((0, FIELDS), np.uint16)]
        self._lengths: list[Floats] = [np.zeros((0, FIELDS), np.float32)]
        self._size = 0  # of those that are counted
        self._waiting: list[FieldNumbers] = []

    def add(self, piece: FieldNumbers) -> None:
        self._waiting.append(piece)
        if len(self._waiting) == AT_ONCE:
            self._count()

    def postings(self, hashes: Hashes) -> Postings:
        """All of them; `hashes` are those of the terms by their numbers."""
        self._count()
        keys = np.concatenate(self._keys)
        terms = hashes[keys >> _SHIFT]
        order = np.lexsort((keys & _PLACE, terms))
        counts, more, more_counts = narrowed(np.concatenate(self._counts)[order])
        found, starts = np.unique(terms[order], return_index=True)
        return Postings(
            terms=found,
            starts=np.append(starts, len(keys)).astype(np.int64),
            places=(keys[order] & _PLACE).astype(np.int32),
            counts=counts,
            more=more,
            more_counts=more_counts,
            lengths=np.concatenate(self._lengths),
        )

    def _count(self) -> None:
        """Each occurrence is one number: of the term, of the piece, and of the field in two bits.

        Sorted, equal ones stand together, and so do the fields of a posting.
        """
        pieces, self._waiting = self._waiting, []
        fields = list(chain.from_iterable(pieces))
        lengths = np.array([len(numbers) for numbers in fields], np.int64)
        places = np.repeat(np.arange(self._size, self._size + len(pieces)), FIELDS)
        where = places << 2 | np.tile(np.arange(FIELDS), len(pieces))
        numbers = np.fromiter(chain.from_iterable(fields), np.int64, int(lengths.sum()))
        found, times = np.unique(numbers << 34 | np.repeat(where, lengths), return_counts=True)
        held = found >> 2
        is_next = np.diff(held, prepend=-1) > 0
        keys = held[is_next]
        counts = np.zeros((len(keys), FIELDS), np.uint16)
        counts[np.cumsum(is_next) - 1, found & 3] = np.minimum(times, 65535)
        self._keys.append(keys)
        self._counts.append(counts)
        self._lengths.append(lengths.reshape(-1, FIELDS).astype(np.float32))
        self._size += len(pieces)


class Incoming:
    """What pages bring into an index."""

    def __init__(self) -> None:
        self.replaced: set[PageKey] = set()  # pages, also those that have disappeared
        self._pieces = Terms()
        self._pages = Terms()
        self._piece_ids: list[str] = []
        self._acls: list[str] = []
        self._there: list[PageEntries] = []  # pages that have pieces, without these
        self._page_of = array("i")
        self._codes: list[Codes] = []  # of each piece, shape (1, words)
        self._words = WrittenWords()

    @property
    def size(self) -> int:
        """How many pieces have come in."""
        return len(self._piece_ids)

    def add(self, page: PageEntries) -> None:
        self.replaced.add(page.key)
        if not page.pieces:
            return
        found = self._numbered(page)
        for piece, numbers in zip(page.pieces, found, strict=True):
            self._pieces.add(numbers)
            self._page_of.append(len(self._there))
            self._piece_ids.append(piece.evidence_id)
            self._acls.append(piece.acl_id)
            self._codes.append(codes_of(np.frombuffer(piece.vector, "<f4").reshape(1, -1)))
        self._pages.add(self._whole(page, found))
        self._there.append(replace(page, pieces=()))

    def segment(self) -> Segment:
        """All of it."""
        hashes, pages = self._words.hashes(), self._there
        acls = sorted(set(self._acls))
        number = {acl: place for place, acl in enumerate(acls)}
        spaces = [f"{page.key.source}\0{page.belongs_to.split(' ', 1)[0]}" for page in pages]
        unsettled = [page.unsettled for page in pages]
        return Segment(
            pieces=self._pieces.postings(hashes),
            pages=self._pages.postings(hashes),
            piece_ids=Names.of(self._piece_ids),
            acl_of=np.array([number[acl] for acl in self._acls], np.int32),
            acls=Texts.of(acls),
            page_of=np.array(self._page_of, np.int32),
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
