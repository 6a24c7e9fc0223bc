"""What a reader may be shown of the lexical index, and what of it may decide his search."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.snapshot import Snapshot
from core.pages import PageKey


@dataclass(frozen=True)
class ReadableSnapshot:
    """What a reader may be shown of a snapshot; `mask` has shape (pieces,)."""

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
        return [self.snapshot.piece_ids[place] for place in np.flatnonzero(self.mask)]

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

    def title_words_like(self, word: str) -> list[str]:
        """Words of readable titles spelled nearly like this one, in lower case."""
        return self.snapshot.title_words.nearly(word, self._titles_have)

    def titles_named(self, terms: Collection[str]) -> list[str]:
        """The readable titles of two terms or more of which these are all."""
        snapshot, said = self.snapshot, set(terms)
        titles = enumerate(snapshot.title_terms)
        pages = [place for place, terms in titles if len(terms) > 1 and terms <= said]
        if not pages:
            return []
        return [snapshot.titles[place] for place in pages if self.pages[place]]

    def is_subject_elsewhere(self, term: str, known: Collection[PageKey]) -> bool:
        """Whether at least half of the readable pages with this term have it in their titles.

        False where one of the known pages has it.
        """
        snapshot = self.snapshot
        places = snapshot.pages.holding(term)
        having = places[self.pages[places]].tolist()
        titled = sum(term in snapshot.title_terms[place] for place in having)
        is_subject = having and 2 * titled >= len(having)
        return bool(is_subject) and not any(snapshot.page_keys[place] in known for place in having)

    def _titles_have(self, word: str) -> bool:
        return bool(self.pages[self.snapshot.titled[word]].any())

    def _holds(self, piece: str) -> bool:
        place = self.snapshot.places.get(piece)
        return place is not None and bool(self.mask[place])
