"""Packed texts and lists of the lexical index: a million of them in a few arrays, as in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Kept = NDArray[np.bool_]


def hash_of(text: str) -> int:
    """64 bits: of two million texts, two share theirs once in ten million times."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def hashes_of(texts: Iterable[str]) -> Hashes:
    return np.fromiter(map(hash_of, texts), np.uint64)


def _ends() -> NDArray[np.int64]:
    return np.zeros(1, np.int64)


@dataclass(frozen=True)
class Lists:
    """Lists of numbers; `ends`, shape (lists + 1,), where each begins and the last one ends."""

    flat: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint64))
    ends: NDArray[np.int64] = field(default_factory=_ends)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> NDArray[Any]:
        return self.flat[self.ends[place] : self.ends[place + 1]]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.ends)

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]], kind: type = np.uint64) -> Lists:
        flat: list[int] = []
        ends = [0]
        for each in lists:
            flat.extend(each)
            ends.append(len(flat))
        return cls(np.array(flat, kind), np.array(ends, np.int64))

    @classmethod
    def chosen(cls, parts: Sequence[tuple[Lists, Kept]]) -> Lists:
        """The kept lists of each of these, one after the other."""
        flat = [each.flat[np.repeat(kept, each.lengths)] for each, kept in parts]
        lengths = [each.lengths[kept] for each, kept in parts]
        ends = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        return cls(np.concatenate(flat), ends.astype(np.int64))


@dataclass(frozen=True)
class Texts:
    """Texts as their UTF-8 bytes; one becomes an object of Python when it is looked at."""

    packed: Lists = field(default_factory=lambda: Lists(np.zeros(0, np.uint8)))

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, place: int) -> str:
        return self.packed[place].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return iter(self.at(np.arange(len(self))))

    def at(self, places: NDArray[Any]) -> list[str]:
        """The texts at these places: ten times as fast as one by one."""
        raw, ends = self.packed.flat.data, self.packed.ends
        spans = zip(ends[places].tolist(), ends[places + 1].tolist(), strict=True)
        return [str(raw[start:end], "utf-8", "surrogatepass") for start, end in spans]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum([0, *map(len, raw)], dtype=np.int64)
        return cls(Lists(np.frombuffer(b"".join(raw), np.uint8), ends))

    @classmethod
    def chosen(cls, parts: Sequence[tuple[Texts, Kept]]) -> Texts:
        """The kept texts of each of these, one after the other."""
        return cls(Lists.chosen([(each.packed, kept) for each, kept in parts]))


@dataclass(frozen=True)
class Names:
    """Different texts, each of which is found by what it says.

    `hashes`, ascending, and `places`: which text has each.
    """

    texts: Texts = field(default_factory=Texts)
    hashes: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    places: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: int) -> str:
        return self.texts[place]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Names:
        return cls._sorted(Texts.of(texts), hashes_of(texts))

    @classmethod
    def chosen(cls, parts: Sequence[tuple[Names, Kept]]) -> Names:
        """The kept texts of each of these, one after the other."""
        hashes = [names.by_place[kept] for names, kept in parts]
        texts = Texts.chosen([(names.texts, kept) for names, kept in parts])
        return cls._sorted(texts, np.concatenate(hashes))

    @classmethod
    def _sorted(cls, texts: Texts, hashes: Hashes) -> Names:
        order = np.argsort(hashes, kind="stable")
        return cls(texts, hashes[order], order.astype(np.int32))

    @property
    def by_place(self) -> Hashes:
        found = np.zeros(len(self), np.uint64)
        found[self.places] = self.hashes
        return found

    def find(self, text: str) -> int | None:
        """The place of a text."""
        wanted = np.uint64(hash_of(text))
        at = int(np.searchsorted(self.hashes, wanted))
        while at < len(self.hashes) and self.hashes[at] == wanted:
            place = int(self.places[at])
            if self.texts[place] == text:
                return place
            at += 1
        return None
