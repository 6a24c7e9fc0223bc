"""Snapshot of the lexical index at one revision: its segments, and which pages are gone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import content_words
from core.evidence.lexical.bm25f import LivePart, LivePostings
from core.evidence.lexical.page_edges import key, repeated
from core.evidence.lexical.page_status import Edition
from core.evidence.lexical.segments.merge import Allocate, SegmentPart, merged
from core.evidence.lexical.segments.packed import Lists
from core.evidence.lexical.segments.segment import Segment
from core.pages import PageKey
from core.storage.index_tables import IndexRow

# Every segment in memory is so many times as large as the next: each page is merged a few times.
TIERED = 4


def _all(segment: Segment) -> SegmentPart:
    return SegmentPart(segment, np.ones(len(segment.page_keys), np.bool_))


@dataclass(frozen=True)
class Snapshot:
    """The index at one revision.

    Pieces and pages have the places of the first segment, then those of the next one. Whatever is
    gone keeps its place until its segment is merged.
    """

    identity: str = ""  # of the epoch that it was made in
    revision: int = -1
    mark: str = ""  # of this revision
    parts: tuple[SegmentPart, ...] = ()
    file: str = ""  # the token of the file that the first segment is mapped from
    coder: str = ""  # the embedder of whose vectors there are codes; empty: there are none

    @classmethod
    def of(cls, segments: Iterable[Segment]) -> Snapshot:
        """Of all that these hold."""
        return cls(parts=tuple(map(_all, segments)))

    def is_at(self, state: IndexRow) -> bool:
        """Whether this is made from all that SQL has."""
        of = (state.identity, state.revision, state.mark)
        return (self.identity, self.revision, self.mark) == of

    @cached_property
    def pieces(self) -> LivePostings:
        return LivePostings(tuple(self._live("pieces", self._first_pieces)))

    @cached_property
    def page_of(self) -> NDArray[np.int64]:
        """The place of each piece's page."""
        firsts = self._first_pages
        found = [part.segment.page_of + first for part, first in self._with(firsts)]
        return np.concatenate([np.zeros(0, np.int64), *found])

    def place(self, piece: str) -> int | None:
        """The place of a piece that is there."""
        for part, first in self._with(self._first_pieces):
            place = part.segment.piece_ids.find(piece)
            if place is not None and part.kept[part.segment.page_of[place]]:
                return first + place
        return None

    def piece_id(self, place: int) -> str:
        part, place = self._in_part(self._first_pieces, place)
        return part.segment.piece_ids[place]

    def piece_ids(self, places: NDArray[np.int64]) -> list[str]:
        """Of the pieces at these places, in ascending order."""
        found: list[str] = []
        for part, first in self._with(self._first_pieces):
            here = places[(places >= first) & (places < first + part.size)] - first
            found += part.segment.piece_ids.texts.at(here)
        return found

    def ids(self) -> list[str]:
        """Of all pieces that are there."""
        return self.piece_ids(np.flatnonzero(self._there("pieces")))

    def readable(
        self, acls: Collection[str], pages: Collection[PageKey] | None = None
    ) -> NDArray[np.bool_]:
        """Which places are of pieces with these ACLs, on these pages (None: any)."""
        found = [np.zeros(0, np.bool_)]
        for part in self.parts:
            passed = np.array([name in acls for name in part.segment.acls], np.bool_)
            of_acl = passed[part.segment.acl_of]
            found.append(of_acl if part.kept.all() else of_acl & part.pieces)
        mask = np.concatenate(found)
        if pages is None:
            return mask
        on_pages = np.zeros(self.pages.total, np.bool_)
        on_pages[[place for place in map(self.page_place, pages) if place is not None]] = True
        return mask & on_pages[self.page_of]

    # Pages

    def page_parts(self) -> Iterator[tuple[SegmentPart, int]]:
        """Each part, and the place of its first page."""
        return self._with(self._first_pages)

    @cached_property
    def pages(self) -> LivePostings:
        return LivePostings(tuple(self._live("pages", self._first_pages)))

    def page_place(self, page: PageKey) -> int | None:
        """The place of a page that is there."""
        for part, first in self.page_parts():
            place = part.segment.place_of_page(page)
            if place is not None and part.kept[place]:
                return first + place
        return None

    def page_key(self, place: int) -> PageKey:
        part, place = self._in_part(self._first_pages, place)
        return part.segment.page_key(place)

    def page_keys(self) -> list[PageKey]:
        """Of all pages that are there."""
        return [self.page_key(place) for place in np.flatnonzero(self._there("pages")).tolist()]

    def name_terms(self, page: int) -> frozenset[str]:
        """The terms of what the page at this place is called: its title, its space, its owner."""
        part, place = self._in_part(self._first_pages, page)
        belongs_to = part.segment.belong_to[place]
        return frozenset(content_words(f"{part.segment.titles.texts[place]} {belongs_to}"))

    @cached_property
    def unsettled(self) -> NDArray[np.bool_]:
        """Which places are of drafts, copies and the like; shape (pages,)."""
        return np.concatenate([np.zeros(0, np.bool_), *(p.segment.unsettled for p in self.parts)])

    @cached_property
    def families(self) -> list[list[Edition]]:
        """Pages that are editions of one page: of one space, and neither drafts nor copies."""
        found = [part.segment.titles.family * part.kept for part in self.parts]
        families = np.concatenate([np.zeros(0, np.uint64), *found])
        places = np.flatnonzero(families)
        names, counts = np.unique(families[places], return_counts=True)
        several = names[counts > 1]
        those = places[np.isin(families[places], several)]
        together: dict[int, list[Edition]] = {}
        for place in those.tolist():
            edition = Edition(place, self._edition(place))
            together.setdefault(int(families[place]), []).append(edition)
        return list(together.values())

    def _edition(self, page: int) -> tuple[int, ...]:
        part, place = self._in_part(self._first_pages, page)
        return tuple(map(int, part.segment.titles.edition[place].split(".")))

    def is_boilerplate(self, sentence: str) -> bool:
        """Whether it stands at the beginning or the end of many pages."""
        return key(sentence) in self._repeated

    @cached_property
    def _repeated(self) -> frozenset[int]:
        kept = Lists.chosen([(part.segment.edges, part.kept) for part in self.parts])
        return repeated(kept.flat)

    # Words

    @cached_property
    def plain(self) -> frozenset[str]:
        """Words as they are written, of this revision and of earlier ones."""
        return frozenset().union(*(part.segment.plain for part in self.parts))

    def frequency(self, term: str) -> int:
        """How many pieces have this term."""
        return self.pieces.frequency(term)

    # Changes

    def changed(self, new: Segment, replaced: Iterable[PageKey]) -> Snapshot:
        """These pages replaced, everything else as it was.

        What has changed since the first segment was made is held in memory, in few segments.
        """
        without = self.without(replaced)
        parts = [*(without.parts or (_all(Segment()),)), _all(new)]
        while len(parts) > 2 and parts[-2].size <= TIERED * parts[-1].size:
            parts[-2:] = [_all(merged(parts[-2:]))]
        return replace(without, parts=tuple(parts))

    def without(self, pages: Iterable[PageKey]) -> Snapshot:
        """The same without these pages."""
        kept = [part.kept.copy() for part in self.parts]
        for page in pages:
            for part, those in zip(self.parts, kept, strict=True):
                place = part.segment.place_of_page(page)
                if place is not None:
                    those[place] = False
        parts = zip((part.segment for part in self.parts), kept, strict=True)
        return replace(self, parts=tuple(SegmentPart(*each) for each in parts))

    def merged(self, allocate: Allocate = np.zeros) -> Segment:
        """All of it as one segment."""
        return merged(self.parts, allocate)

    @cached_property
    def unmerged(self) -> int:
        """How many pages have changed since the first segment was made."""
        new = sum(len(part.kept) for part in self.parts[1:])
        gone = sum(int(np.count_nonzero(~part.kept)) for part in self.parts[:1])
        return max(gone, new)

    # Places

    def _live(self, kind: str, firsts: Sequence[int]) -> Iterator[LivePart]:
        for part, first in self._with(firsts):
            kept = part.pieces if kind == "pieces" else part.kept
            gone = None if part.kept.all() else ~kept
            yield LivePart(getattr(part.segment, kind), first, gone)

    def _there(self, kind: str) -> NDArray[np.bool_]:
        kept = [part.pieces if kind == "pieces" else part.kept for part in self.parts]
        return np.concatenate([np.zeros(0, np.bool_), *kept])

    def _with(self, firsts: Sequence[int]) -> Iterator[tuple[SegmentPart, int]]:
        return zip(self.parts, firsts, strict=True)

    def _in_part(self, firsts: Sequence[int], place: int) -> tuple[SegmentPart, int]:
        number = bisect_right(firsts, place) - 1
        return self.parts[number], place - firsts[number]

    @cached_property
    def _first_pieces(self) -> tuple[int, ...]:
        return _firsts(len(part.segment.piece_ids) for part in self.parts)

    @cached_property
    def _first_pages(self) -> tuple[int, ...]:
        return _firsts(len(part.segment.page_keys) for part in self.parts)


def _firsts(sizes: Iterable[int]) -> tuple[int, ...]:
    """The place at which each part begins."""
    return tuple(accumulate(sizes, initial=0))[:-1]
