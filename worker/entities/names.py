"""Index of entity names: looks up the names that begin at a word of a question, longest first.

A name of one word may be an ordinary word, so it has to look like a name where it stands; see
`worker.entities.mentions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.evidence.lexical.analyzer import STOP
from worker.entities.words import NameWord, as_written, folded, words

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


def names_of(
    key: str,
    written: Iterable[str],
) -> tuple[Name, ...]:
    """Each name as it is written, and without `Team` before or behind it."""
    found: list[Name] = []
    for text in written:
        found += _names(key, text)
    return tuple(found)


class NameIndex:
    """Every name, by its first word."""

    def __init__(self, names: Iterable[Name]) -> None:
        self._by_stems: dict[Stems, list[Name]] = {}
        self._lengths: dict[str, set[int]] = {}
        for name in names:
            self._by_stems.setdefault(name.stems, []).append(name)
            lengths = self._lengths.setdefault(name.stems[0], set())
            lengths.add(len(name.stems))

    def at(
        self,
        question: Sequence[NameWord],
        start: int,
    ) -> Iterator[tuple[int, list[Name]]]:
        """Lengths of the names that begin here, in words, longest first, with the names of each."""
        lengths = self._lengths.get(question[start].stem, ())
        for length in sorted(lengths, reverse=True):
            stems = _stems(question[start : start + length])
            if len(stems) == length and stems in self._by_stems:
                yield length, self._by_stems[stems]


def _names(key: str, text: str) -> Iterator[Name]:
    written = words(text)
    if len(written) > LONGEST or not _has_long_word(written):
        return
    if _is_abbreviation(text):
        yield Name(key, _stems(written), folded(text), text, abbreviation=True)
        return
    if _has_name(written):
        yield Name(key, _stems(written), as_written(written), text)
    first, last = written[0], written[-1]
    for word, rest in ((first, written[1:]), (last, written[:-1])):
        if word.unit and _has_name(rest):
            yield Name(key, _stems(rest), "", text, word.unit)


def _has_long_word(written: Sequence[NameWord]) -> bool:
    """Whether there is more than numbers and single letters."""
    return any(len(word.text) > 1 and not word.text.isdigit() for word in written)


def _is_abbreviation(text: str) -> bool:
    """A few letters, none of them small."""
    letters = "".join(filter(str.isalpha, text))
    return len(letters) <= ABBREVIATION and not any(map(str.islower, letters))


def _has_name(written: Sequence[NameWord]) -> bool:
    """Whether there is more than stop words and words for units."""
    for word in written:
        is_stop_word = word.text.casefold() in STOP
        if not is_stop_word and not word.unit:
            return True
    return False


def _stems(written: Sequence[NameWord]) -> Stems:
    return tuple(word.stem for word in written)
