"""Merges segments into one, without the pages that are gone.

Postings are merged a range of terms at a time and go where `allocate` says, which may be a file:
what is held in memory does not grow with the index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import terms_of
from core.evidence.lexical.segments.codes import Codes
from core.evidence.lexical.segments.packed import Kept, Lists, Names, Texts, hashes_of
from core.evidence.lexical.segments.postings import FIELDS, Postings, narrowed
from core.evidence.lexical.segments.segment import PageTitles, Segment, by_word

T = TypeVar("T")
# An array of this shape and type that is to be filled.
Allocate = Callable[[tuple[int, ...], type], NDArray[Any]]

AT_ONCE = 2_000_000  # postings of about so many are held at a time: 60 MB
_ALL = 1 << 64  # terms are as many as hashes


class SegmentPart(NamedTuple):
    """A segment, and which of its pages are still there; shape (pages,)."""

    segment: Segment
    kept: Kept

    @property
    def size(self) -> int:
        """How many pieces it holds, those that are gone among them."""
        return len(self.segment.page_of)

    @property
    def pieces(self) -> Kept:
        """Which of its pieces are; shape (pieces,)."""
        return self.kept[self.segment.page_of]


def merged(parts: Sequence[SegmentPart], allocate: Allocate = np.zeros) -> Segment:
    """One segment: pieces and pages of the first part, then those of the next one."""
    pieces = [part.pieces for part in parts]
    pages = [part.kept for part in parts]
    segments = [part.segment for part in parts]
    acls = sorted(set().union(*(each.acls for each in segments)))
    of_pieces = _postings([each.pieces for each in segments], pieces, allocate)
    return Segment(
        pieces=of_pieces,
        pages=_postings([each.pages for each in segments], pages, allocate),
        piece_ids=Names.chosen(_with([each.piece_ids for each in segments], pieces)),
        acl_of=np.concatenate([_acls(part, acls) for part in parts]),
        acls=Texts.of(acls),
        page_of=_pages_of(parts),
        page_keys=Names.chosen(_with([each.page_keys for each in segments], pages)),
        titles=_titles([each.titles for each in segments], pages),
        unsettled=np.concatenate([part.segment.unsettled[part.kept] for part in parts]),
        belong_to=Texts.chosen(_with([each.belong_to for each in segments], pages)),
        edges=Lists.chosen(_with([each.edges for each in segments], pages)),
        plain=_plain(set().union(*(each.plain for each in segments)), of_pieces),
        codes=_codes([each.codes for each in segments], pieces, allocate),
    )


def _plain(words: set[str], pieces: Postings) -> Texts:
    """Those that a piece still has: what is deleted leaves no word behind."""
    in_order = sorted(words)
    there = np.isin(hashes_of(terms_of(word)[0] for word in in_order), pieces.terms)
    return Texts.of(compress(in_order, there.tolist()))


def _codes(codes: Sequence[Codes], kept: Sequence[Kept], allocate: Allocate) -> Codes:
    """Where a segment has none, its pieces have empty ones."""
    words = max((each.shape[1] for each in codes), default=0)
    found = allocate((sum(int(those.sum()) for those in kept), words), np.uint64)
    first = 0
    for each, those in zip(codes, kept, strict=True):
        last = first + int(those.sum())
        found[first:last] = each[those] if each.shape[1] == words else 0
        first = last
    return found


def _with(those: Sequence[T], kept: Sequence[Kept]) -> list[tuple[T, Kept]]:
    return list(zip(those, kept, strict=True))


def _acls(part: SegmentPart, acls: Sequence[str]) -> NDArray[np.int32]:
    number = {acl: place for place, acl in enumerate(acls)}
    now = np.array([number[acl] for acl in part.segment.acls], np.int32)
    return now[part.segment.acl_of[part.pieces]] if len(now) else np.zeros(0, np.int32)


def _pages_of(parts: Sequence[SegmentPart]) -> NDArray[np.int32]:
    found, first = [np.zeros(0, np.int64)], 0
    for part in parts:
        places = np.cumsum(part.kept) - 1 + first
        found.append(places[part.segment.page_of[part.pieces]])
        first += int(part.kept.sum())
    return np.concatenate(found).astype(np.int32)


def _titles(titles: Sequence[PageTitles], kept: Sequence[Kept]) -> PageTitles:
    return by_word(
        PageTitles(
            texts=Texts.chosen(_with([each.texts for each in titles], kept)),
            terms=Lists.chosen(_with([each.terms for each in titles], kept)),
            plain=Texts.chosen(_with([each.plain for each in titles], kept)),
            family=np.concatenate([each.family[those] for each, those in _with(titles, kept)]),
            edition=Texts.chosen(_with([each.edition for each in titles], kept)),
        )
    )


def _postings(postings: Sequence[Postings], kept: Sequence[Kept], allocate: Allocate) -> Postings:
    sources, first = [], 0
    for each, those in zip(postings, kept, strict=True):
        sources.append(_Merging(each, those, np.cumsum(those) - 1 + first))
        first += int(those.sum())
    total = sum(source.left() for source in sources)
    target = _Target(allocate((total,), np.int32), allocate((total, FIELDS), np.uint8))
    ranges = total // AT_ONCE + 1
    for number in range(ranges):
        low, high = _ALL * number // ranges, _ALL * (number + 1) // ranges
        target.put([source.of_terms(low, high) for source in sources])
    lengths = [each.lengths[those] for each, those in zip(postings, kept, strict=True)]
    return target.postings(np.concatenate(lengths))


class _Found(NamedTuple):
    """Postings with their terms, sorted by these."""

    terms: NDArray[np.uint64]
    places: NDArray[np.int64]
    counts: NDArray[np.uint16]


class _Merging(NamedTuple):
    postings: Postings
    kept: Kept
    place_now: NDArray[np.int64]

    def left(self) -> int:
        """How many of its postings are of something that is kept."""
        if self.kept.all():
            return len(self.postings.places)
        return int(np.count_nonzero(self.kept[self.postings.places]))

    def of_terms(self, low: int, high: int) -> _Found:
        """Those of the terms from `low` to below `high`."""
        postings = self.postings
        first = _place(postings.terms, low)
        last = _place(postings.terms, high)
        where = slice(int(postings.starts[first]), int(postings.starts[last]))
        times = np.diff(postings.starts[first : last + 1])
        terms = np.repeat(postings.terms[first:last], times)
        places = postings.places[where]
        kept = self.kept[places]
        return _Found(terms[kept], self.place_now[places[kept]], postings.counted(where)[kept])


def _place(terms: NDArray[np.uint64], hashed: int) -> int:
    return len(terms) if hashed >= _ALL else int(np.searchsorted(terms, np.uint64(hashed)))


class _Target:
    """Postings as they come in, in the order of their terms."""

    def __init__(self, places: NDArray[np.int32], counts: NDArray[np.uint8]) -> None:
        self._places = places
        self._counts = counts
        self._filled = 0
        self._terms = [np.zeros(0, np.uint64)]
        self._starts = [np.zeros(0, np.int64)]
        self._more = [np.zeros(0, np.int64)]
        self._more_counts = [np.zeros((0, FIELDS), np.uint16)]

    def put(self, found: Sequence[_Found]) -> None:
        """All of a range of terms: by term, then by place, since those of the later are greater."""
        terms = np.concatenate([each.terms for each in found])
        order = np.argsort(terms, kind="stable")
        places = np.concatenate([each.places for each in found])[order]
        counts, more, more_counts = narrowed(np.concatenate([each.counts for each in found])[order])
        here = slice(self._filled, self._filled + len(terms))
        self._places[here] = places
        self._counts[here] = counts
        different, starts = np.unique(terms[order], return_index=True)
        self._terms.append(different)
        self._starts.append(starts + self._filled)
        self._more.append(more + self._filled)
        self._more_counts.append(more_counts)
        self._filled = here.stop

    def postings(self, lengths: NDArray[np.float32]) -> Postings:
        return Postings(
            terms=np.concatenate(self._terms),
            starts=np.append(np.concatenate(self._starts), self._filled).astype(np.int64),
            places=self._places,
            counts=self._counts,
            more=np.concatenate(self._more),
            more_counts=np.concatenate(self._more_counts),
            lengths=lengths,
        )
