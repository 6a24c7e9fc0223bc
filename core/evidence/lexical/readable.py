"""What a reader may be shown of the lexical index, and what of it may decide his search."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.segments.packed import hash_of, hashes_of
from core.evidence.lexical.snapshot import Snapshot
from core.evidence.lexical.spelling import alike
from core.pages import PageKey

MOST_ALIKE = 2  # words of titles that a word may have been meant for


@dataclass(frozen=True)
class ReadableSnapshot:
    """What a reader may be shown of a snapshot; `mask` has shape (places of pieces,)."""

    snapshot: Snapshot
    mask: NDArray[np.bool_]

    @cached_property
    def size(self) -> int:
        return int(self.mask.sum())

    @property
    def total(self) -> int:
        return self.snapshot.pieces.size

    def ids(self) -> list[str]:
        """Of all readable pieces."""
        return self.snapshot.piece_ids(np.flatnonzero(self.mask))

    @cached_property
    def pages(self) -> NDArray[np.bool_]:
        """Which pages have a readable piece; shape (places of pages,)."""
        found = np.zeros(self.snapshot.pages.total, np.bool_)
        found[self.snapshot.page_of[self.mask]] = True
        return found

    @cached_property
    def outdated(self) -> NDArray[np.bool_]:
        """Which pages are not the ones to go by; shape (places of pages,).

        A page that has a later edition is one of them, if the reader may see that edition.
        """
        found = self.snapshot.unsettled.copy()
        for editions in self.snapshot.families:
            seen = [edition for edition in editions if self.pages[edition.place]]
            last = max((edition.number for edition in seen), default=())
            for edition in seen:
                found[edition.place] |= edition.number < last
        return found

    def of(self, found: Mapping[str, float]) -> dict[str, float]:
        """Those of the found pieces that the reader may see."""
        return {piece: score for piece, score in found.items() if self._holds(piece)}

    def knows(self, term: str) -> bool:
        """Whether a readable piece has it."""
        return any(self.mask[places].any() for places in self.snapshot.pieces.places(term))

    def pages_with(self, term: str) -> int:
        """How many readable pages have it."""
        return int(self.pages[self.snapshot.pages.holding(term)].sum())

    def title_words_like(self, word: str) -> list[str]:
        """Words of readable titles spelled nearly like this one, in lower case."""
        spellings = (part.segment.titles.spellings for part in self.snapshot.parts)
        perhaps = sorted(set().union(*(each.perhaps(word) for each in spellings)))
        return list(islice(filter(self._titles_have, alike(word, perhaps)), MOST_ALIKE))

    def titles_named(self, terms: Collection[str]) -> list[str]:
        """The readable titles of two terms or more of which these are all."""
        said, found = hashes_of(terms), list[str]()
        for part, first in self.snapshot.page_parts():
            of_pages = part.segment.titles.terms
            owners = np.repeat(np.arange(len(of_pages)), of_pages.lengths)
            known = np.bincount(owners[np.isin(of_pages.flat, said)], minlength=len(of_pages))
            named = (of_pages.lengths > 1) & (known == of_pages.lengths)
            named &= self.pages[first : first + len(of_pages)]
            found += [part.segment.titles.texts[place] for place in np.flatnonzero(named).tolist()]
        return found

    def is_subject_elsewhere(self, term: str, known: Collection[PageKey]) -> bool:
        """Whether at least half of the readable pages with this term have it in their titles.

        False where one of the known pages has it.
        """
        places = self.snapshot.pages.holding(term)
        having = places[self.pages[places]]
        titled = int(self.pages[self._titled(term)].sum())
        if not len(having) or 2 * titled < len(having):
            return False
        there = {self.snapshot.page_place(page) for page in known}
        return there.isdisjoint(having.tolist())

    def _titles_have(self, word: str) -> bool:
        """A word in lower case."""
        for part, first in self.snapshot.page_parts():
            if self.pages[part.segment.titles.with_word(word).astype(np.int64) + first].any():
                return True
        return False

    def _titled(self, term: str) -> NDArray[np.int64]:
        """The places of the pages that have a term in their title; no stop word."""
        wanted = np.uint64(hash_of(term))
        found = [np.zeros(0, np.int64)]
        for part, first in self.snapshot.page_parts():
            terms = part.segment.titles.terms
            at = np.flatnonzero(terms.flat == wanted)
            found.append(np.searchsorted(terms.ends, at, side="right") - 1 + first)
        return np.concatenate(found)

    def _holds(self, piece: str) -> bool:
        place = self.snapshot.place(piece)
        return place is not None and bool(self.mask[place])
