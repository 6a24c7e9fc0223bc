"""The names of a tree, looked up in a question: the longest first, a word at a time.

A name of one word may be an ordinary word, so it has to look like a name where it stands; see `worker.entities.mentions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.evidence.lexical.analyzer import STOP
from worker.entities.words import NameWord, folded, words

LONGEST = 12  # words of a name
ABBREVIATION = 6  # letters at most

Stems = tuple[str, ...]


@dataclass(frozen=True)
class Name:
    """One of the ways to call a node."""

    key: str  # of the node
    stems: Stems
    exact: str  # folded, as written; empty for a name from which a word such as `team` was taken
    written: str  # as the tree has it
    unit: str = ""  # that word
    abbreviation: bool = False

    @property
    def is_unmistakable(self) -> bool:
        """Whether no ordinary word looks like it."""
        return len(self.stems) > 1 or any(c.isdigit() for c in self.exact)


def names_of(key: str, written: Iterable[str]) -> tuple[Name, ...]:
    """Each name as it is written, and without `Team` before or behind it."""
    return tuple(name for text in written for name in _names(key, text))


class NameIndex:
    """Every name, by its first word."""

    def __init__(self, names: Iterable[Name]) -> None:
        self._by_stems: dict[Stems, list[Name]] = {}
        self._lengths: dict[str, set[int]] = {}
        for name in names:
            self._by_stems.setdefault(name.stems, []).append(name)
            self._lengths.setdefault(name.stems[0], set()).add(len(name.stems))

    def at(self, question: Sequence[NameWord], start: int) -> Iterator[tuple[int, list[Name]]]:
        """How many words a name that begins here may have, the longest first, and the names of that length."""
        for length in sorted(self._lengths.get(question[start].stem, ()), reverse=True):
            named = self._by_stems.get(
                tuple(word.stem for word in question[start : start + length])
            )
            if named and len(question) - start >= length:
                yield length, named


def _names(key: str, text: str) -> Iterator[Name]:
    said = words(text)
    if not 0 < len(said) <= LONGEST or all(
        word.text.isdigit() or len(word.text) == 1 for word in said
    ):
        return
    letters = [c for c in text if c.isalpha()]
    if len(letters) <= ABBREVIATION and not any(c.islower() for c in letters):
        yield Name(key, _stems(said), folded(text), text, abbreviation=True)
        return
    if not all(word.text.casefold() in STOP or word.unit for word in said):
        yield Name(key, _stems(said), _as_written(said), text)
    for unit, rest in ((said[0].unit, said[1:]), (said[-1].unit, said[:-1])):
        if unit and any(word.text.casefold() not in STOP and not word.unit for word in rest):
            yield Name(key, _stems(rest), "", text, unit)


def _stems(said: Sequence[NameWord]) -> Stems:
    return tuple(word.stem for word in said)


def _as_written(said: Sequence[NameWord]) -> str:
    return " ".join(folded(word.text) for word in said)
