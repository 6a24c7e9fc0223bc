"""A segment: pages with their pieces, their words, titles and readers, as of when it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import asked, plain_words
from core.evidence.lexical.page_status import edition_of
from core.evidence.lexical.segments.codes import Codes
from core.evidence.lexical.segments.packed import Hashes, Lists, Names, Texts, hash_of
from core.evidence.lexical.segments.postings import Postings
from core.evidence.lexical.spelling import Spellings, letters_of
from core.pages import PageKey

T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]


def _places() -> NDArray[np.int32]:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class PageTitles:
    """What the titles of pages say; all but `words` and `pages_of` has an entry for each page."""

    texts: Texts = field(default_factory=Texts)
    terms: Lists = field(default_factory=Lists)  # hashes, without stop words
    plain: Texts = field(default_factory=Texts)  # plain words in lower case, between blanks
    family: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))  # 0: of none
    edition: Texts = field(default_factory=Texts)  # numbers, between dots
    words: Texts = field(default_factory=Texts)  # different plain words, ascending
    letters: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))  # of each word …
    lengths: NDArray[np.int32] = field(default_factory=_places)  # … and how many there are
    pages_of: Lists = field(default_factory=lambda: Lists(_places()))  # by word

    @cached_property
    def spellings(self) -> Spellings:
        return Spellings(self.words, self.letters, self.lengths)

    def with_word(self, word: str) -> NDArray[np.int32]:
        """The places of the pages whose title has this word, in lower case."""
        place = self._place_of(word)
        return _places() if place is None else self.pages_of[place]

    def _place_of(self, word: str) -> int | None:
        """By halves: the words are in ascending order."""
        low, high = 0, len(self.words)
        while low < high:
            middle = (low + high) // 2
            if self.words[middle] < word:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self.words) and self.words[low] == word else None


@dataclass(frozen=True)
class Segment:
    """Pieces and pages are named by their places in these arrays."""

    pieces: Postings = field(default_factory=Postings)
    pages: Postings = field(default_factory=Postings)
    piece_ids: Names = field(default_factory=Names)
    acl_of: NDArray[np.int32] = field(default_factory=_places)  # of each piece, by its place in …
    acls: Texts = field(default_factory=Texts)
    page_of: NDArray[np.int32] = field(default_factory=_places)  # of each piece
    page_keys: Names = field(default_factory=Names)  # source and id, with a NUL between them
    titles: PageTitles = field(default_factory=PageTitles)  # of each page
    unsettled: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    belong_to: Texts = field(default_factory=Texts)  # its space, the key first, and its owner
    edges: Lists = field(default_factory=Lists)  # sentences at the ends of each page
    plain: Texts = field(default_factory=Texts)  # different words as they are written
    # Of each piece's vector, shape (pieces, words); no words where no codes are wanted.
    codes: Codes = field(default_factory=lambda: np.zeros((0, 0), np.uint64))

    def page_key(self, place: int) -> PageKey:
        source, _, page_id = self.page_keys[place].partition("\0")
        return PageKey(source, page_id)

    def place_of_page(self, key: PageKey) -> int | None:
        return self.page_keys.find(named(key))


def named(key: PageKey) -> str:
    """A page's key as one text."""
    return f"{key.source}\0{key.id}"


def titles_of(texts: Sequence[str], spaces: Sequence[str], unsettled: Sequence[bool]) -> PageTitles:
    """What these titles say; a space is named by its source and its key."""
    editions = [
        ("", "") if is_unsettled else edition_of(title, space)
        for title, space, is_unsettled in zip(texts, spaces, unsettled, strict=True)
    ]
    return by_word(
        PageTitles(
            texts=Texts.of(texts),
            terms=Lists.of(_term_hashes(title) for title in texts),
            plain=Texts.of(" ".join(sorted(plain_words(title))) for title in texts),
            family=np.array([hash_of(name) if name else 0 for name, _ in editions], np.uint64),
            edition=Texts.of(number for _, number in editions),
        )
    )


def by_word(titles: PageTitles) -> PageTitles:
    """With the words of all titles, each once."""
    pages: dict[str, list[int]] = {}
    for place, plain in enumerate(titles.plain):
        for word in plain.split():
            pages.setdefault(word, []).append(place)
    words = sorted(pages)
    known = {each.name: getattr(titles, each.name) for each in fields(titles)}
    known["words"] = Texts.of(words)
    known["letters"], known["lengths"] = letters_of(words)
    known["pages_of"] = Lists.of((pages[word] for word in words), np.int32)
    return PageTitles(**known)


def _term_hashes(title: str) -> list[int]:
    return [hash_of(term) for term in sorted({word.terms[0] for word in asked(title)})]


def arrays_of(value: Any, name: str = "") -> Arrays:
    """Every array of a segment or of a part of one, by its path."""
    found: Arrays = {}
    for each in fields(value):
        part, path = getattr(value, each.name), f"{name}{each.name}"
        if isinstance(part, np.ndarray):
            found[path] = part
        else:
            found |= arrays_of(part, f"{path}.")
    return found


def made_of(kind: type[T], arrays: Arrays, name: str = "") -> T:
    """A segment, or a part of one, of arrays by their paths.

    Raises:
        KeyError: one is missing.
    """
    hints = get_type_hints(kind)
    parts: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        path = f"{name}{each.name}"
        is_array = path in arrays
        parts[each.name] = (
            arrays[path] if is_array else made_of(hints[each.name], arrays, f"{path}.")
        )
    return kind(**parts)
