"""Snapshot of the lexical index at one revision: postings of pieces and pages, titles, ACLs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import asked, content_words, plain_words
from core.evidence.lexical.bm25f import Postings, without
from core.evidence.lexical.builder import Incoming, PageEntries
from core.evidence.lexical.page_edges import Keys, key, repeated
from core.evidence.lexical.page_status import Edition, families
from core.evidence.lexical.spelling import Spellings
from core.pages import PageKey

T = TypeVar("T")


@dataclass(frozen=True)
class Snapshot:
    """The index at one revision; pieces and pages are named by their places in these tuples."""

    identity: str = ""  # of the epoch that it was made in
    revision: int = -1
    mark: str = ""  # of this revision
    pieces: Postings = field(default_factory=Postings)
    pages: Postings = field(default_factory=Postings)
    piece_ids: tuple[str, ...] = ()
    acls: tuple[str, ...] = ()  # of each piece
    page_keys: tuple[PageKey, ...] = ()
    titles: tuple[str, ...] = ()  # of each page
    unsettled: tuple[bool, ...] = ()  # of each page
    belong_to: tuple[str, ...] = ()  # the space, its key first, and the owner of each page
    edges: tuple[Keys, ...] = ()  # of each page
    # The place of each piece's page.
    page_of: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    # Words as they are written, of this revision and of earlier ones.
    plain: frozenset[str] = frozenset()

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each piece."""
        return {piece: place for place, piece in enumerate(self.piece_ids)}

    @cached_property
    def page_places(self) -> dict[PageKey, int]:
        """The place of each page."""
        return {key: place for place, key in enumerate(self.page_keys)}

    def frequency(self, term: str) -> int:
        """How many pieces have this term."""
        return self.pieces.frequency(term)

    @cached_property
    def families(self) -> list[list[Edition]]:
        """Pages that are editions of one page: of one space, and neither drafts nor copies."""
        spaces = [
            (key.source, names.split(" ", 1)[0])
            for key, names in zip(self.page_keys, self.belong_to, strict=True)
        ]
        settled = [place for place, unsettled in enumerate(self.unsettled) if not unsettled]
        return families([(place, spaces[place], self.titles[place]) for place in settled])

    def name_terms(self, page: int) -> frozenset[str]:
        """The terms of what the page at this place is called: its title, its space, its owner."""
        return frozenset(content_words(f"{self.titles[page]} {self.belong_to[page]}"))

    @cached_property
    def title_terms(self) -> list[frozenset[str]]:
        """The terms of each page's title, without stop words and parts of identifiers."""
        return [_title_terms(title) for title in self.titles]

    @cached_property
    def title_words(self) -> Spellings:
        return Spellings(sorted(self.titled))

    @cached_property
    def titled(self) -> dict[str, list[int]]:
        """The places of the pages that have a word in their title, by the word in lower case."""
        found: dict[str, list[int]] = {}
        for place, title in enumerate(self.titles):
            for word in plain_words(title):
                found.setdefault(word, []).append(place)
        return found

    def is_boilerplate(self, sentence: str) -> bool:
        """Whether it stands at the beginning or the end of many pages."""
        return key(sentence) in self._repeated

    @cached_property
    def _repeated(self) -> frozenset[int]:
        return repeated(self.edges)

    def readable(
        self, acls: Collection[str], pages: Collection[PageKey] | None = None
    ) -> NDArray[np.bool_]:
        """Which pieces have these ACLs, and are on these pages (None: any); shape (pieces,)."""
        names, codes = self._acl_codes
        passed = [name in acls for name in names]
        mask: NDArray[np.bool_] = np.array(passed, np.bool_)[codes]
        if pages is None:
            return mask
        wanted = [page in pages for page in self.page_keys]
        on_pages = np.array(wanted, np.bool_)
        return mask & on_pages[self.page_of]

    @cached_property
    def _acl_codes(self) -> tuple[list[str], NDArray[np.int64]]:
        names = sorted(set(self.acls))
        numbers = {name: number for number, name in enumerate(names)}
        codes = [numbers[acl] for acl in self.acls]
        return names, np.array(codes, np.int64)

    def incoming(self, pages: Iterable[PageEntries]) -> Incoming:
        """These pages, read one after the other, with the numbers that terms have here."""
        new = Incoming(self.pieces.terms)
        for page in pages:
            new.add(page)
        return new

    def changed(
        self,
        new: Incoming,
        *,
        identity: str,
        revision: int,
        mark: str = "",
    ) -> Snapshot:
        """The next snapshot: these pages replaced, everything else as it was."""
        replaced = [place for place, key in enumerate(self.page_keys) if key in new.replaced]
        kept_pages = without(len(self.page_keys), replaced)
        kept = kept_pages[self.page_of]
        places = np.cumsum(kept_pages) - 1
        page_of = places[self.page_of[kept]]
        new_page_of = np.asarray(new.page_of) + kept_pages.sum()
        return Snapshot(
            identity=identity,
            revision=revision,
            mark=mark,
            pieces=self.pieces.changed(kept, new.pieces.sorted()),
            pages=self._pages.changed(kept_pages, new.pages.sorted()),
            piece_ids=(*_those(self.piece_ids, kept), *new.piece_ids),
            acls=(*_those(self.acls, kept), *new.acls),
            page_keys=(*_those(self.page_keys, kept_pages), *new.page_keys),
            titles=(*_those(self.titles, kept_pages), *new.titles),
            unsettled=(*_those(self.unsettled, kept_pages), *new.unsettled),
            belong_to=(*_those(self.belong_to, kept_pages), *new.belong_to),
            edges=(*_those(self.edges, kept_pages), *new.edges),
            page_of=np.concatenate([page_of, new_page_of]).astype(np.int32),
            plain=self.plain | new.plain,
        )

    @property
    def _pages(self) -> Postings:
        """With the same numbers for terms as the pieces."""
        return self.pages if self.pages.size else Postings(terms=self.pieces.terms)


def _title_terms(title: str) -> frozenset[str]:
    return frozenset(word.terms[0] for word in asked(title))


def _those(names: tuple[T, ...], kept: NDArray[np.bool_]) -> list[T]:
    return [names[place] for place in np.flatnonzero(kept)]
