"""What a reader may be shown of the lexical index, and what of it may decide his search.

Whether a word stands anywhere, is rare in titles, or makes a page an earlier edition, is asked of
readable pages alone: else a search would tell of words and titles of pages that are closed to him.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.snapshot import Snapshot


@dataclass(frozen=True)
class Readable:
    """What a reader may be shown of a snapshot; `mask` has shape (pieces,)."""

    snapshot: Snapshot
    mask: NDArray[np.bool_]

    @cached_property
    def size(self) -> int:
        return int(self.mask.sum())

    @cached_property
    def pages(self) -> NDArray[np.bool_]:
        """Which pages have a readable piece; shape (pages,)."""
        found = np.zeros(self.snapshot.pages.size, np.bool_)
        found[self.snapshot.page_of[self.mask]] = True
        return found

    @cached_property
    def outdated(self) -> NDArray[np.bool_]:
        """Which pieces stand on pages that are not the ones to go by; shape (pieces,).

        A page that has a later edition is one of them, if the reader may see that edition.
        """
        pages = np.array(self.snapshot.unsettled, np.bool_)
        for editions in self.snapshot.families:
            seen = [edition for edition in editions if self.pages[edition.place]]
            last = max((edition.number for edition in seen), default=())
            for edition in seen:
                pages[edition.place] |= edition.number < last
        return pages[self.snapshot.page_of]

    def of(self, found: Mapping[str, float]) -> dict[str, float]:
        """Those of the found pieces that the reader may see."""
        return {piece: score for piece, score in found.items() if self._holds(piece)}

    def knows(self, term: str) -> bool:
        """Whether a readable piece has it."""
        return bool(self.mask[self.snapshot.pieces.holding(term)].any())

    def pages_with(self, term: str) -> int:
        """How many readable pages have it."""
        return int(self.pages[self.snapshot.pages.holding(term)].sum())

    def titles_have(self, word: str) -> bool:
        """Whether the title of a readable page has this word, in lower case."""
        return bool(self.pages[self.snapshot.titled[word]].any())

    def _holds(self, piece: str) -> bool:
        place = self.snapshot.places.get(piece)
        return place is not None and bool(self.mask[place])
