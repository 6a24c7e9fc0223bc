"""Losses: how much of each sentence of the saved answer another answer no longer says.

Of a sentence s with content words W: `max(1 - max over the other's sentences t of
|W_s & W_t| / |W_s|, what its numbers and names lost)`. No word has a column of its own: what a
sentence says is worded differently each time, and yet its numbers and names stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from core import grammar
from core.language import language
from worker.attribution.statistics.answer_distance import plain, sentences
from worker.support.agreement import deny_differently
from worker.support.dates import Day, taken_out
from worker.support.identifiers import identifiers, names, stands_in
from worker.support.quantities import Quantity, quantities
from worker.support.words import content

Losses = NDArray[np.float64]  # shape (answers, columns), 0 all is said to 1 nothing is

MEAN, NUMBERS, NAMES, FIRST_SENTENCE = range(4)  # columns
LOST = 0.6  # from then on a sentence counts as lost
ALIKE = 0.6  # of its words: a sentence that has as many and denies it is the opposite


@dataclass(frozen=True)
class Said:
    """A sentence, or a whole answer, as it is compared."""

    text: str
    nouns_have_capitals: bool

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(content(self.text))

    @cached_property
    def days(self) -> Sequence[Day]:
        return taken_out(self.text)[0]

    @cached_property
    def quantities(self) -> Sequence[Quantity]:
        return quantities(taken_out(self.text)[1])

    @cached_property
    def codes(self) -> Sequence[str]:
        return identifiers(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        found = names(self.text, nouns_have_capitals=self.nouns_have_capitals)
        return frozenset(name.lower() for name in found)

    @cached_property
    def all_words(self) -> frozenset[str]:
        """In lower case, as they are written."""
        return frozenset(word.strip(".,;:!?()\"'“”„*_").lower() for word in self.text.split())


class SavedAnswer:
    """The answer that is explained, ready to be compared with others."""

    def __init__(self, answer: str) -> None:
        self.text = plain(answer)
        known = grammar.languages().get(language(self.text) or "")
        self._nouns_have_capitals = known is None or known.nouns_have_capitals
        self.sentences = sentences(self.text)
        self._said = [self._read(sentence) for sentence in self.sentences]
        self._rows: dict[str, list[float]] = {}

    @property
    def columns(self) -> int:
        return FIRST_SENTENCE + len(self.sentences)

    def losses(self, others: Sequence[str]) -> Losses:
        """A row for each answer: mean loss, lost numbers, lost names, loss of each sentence."""
        for other in others:
            if other not in self._rows:
                self._rows[other] = self._row(other)
        rows = np.array([self._rows[other] for other in others])
        return rows.reshape(len(others), self.columns)

    def nearest(self, sentence: int, other: str) -> str:
        """What another answer says where the saved one says this sentence; empty: nothing like it.

        What shares no word with it says something else, unless it is all there is.
        """
        theirs = sentences(plain(other))
        ours = self._said[sentence].words
        best = max(theirs, key=lambda each: len(ours & self._read(each).words), default="")
        is_like_it = bool(ours & self._read(best).words)
        return best if is_like_it or len(theirs) == 1 else ""

    def _read(self, text: str) -> Said:
        return _read(text, self._nouns_have_capitals)

    def _row(self, other: str) -> list[float]:
        bare = plain(other)
        whole = self._read(bare)
        theirs = [self._read(sentence) for sentence in sentences(bare)]
        losses = [_loss(said, theirs, whole) for said in self._said]
        numbers = _share(flag for said in self._said for flag in _numbers_lost(said, whole))
        lost_names = _share(flag for said in self._said for flag in _names_lost(said, whole))
        return [sum(losses) / max(len(losses), 1), numbers, lost_names, *losses]


@lru_cache(maxsize=4096)
def _read(text: str, nouns_have_capitals: bool) -> Said:
    return Said(text, nouns_have_capitals)


def _loss(said: Said, theirs: Sequence[Said], whole: Said) -> float:
    if said.text in whole.text:
        return 0.0
    nearest = max(theirs, key=lambda each: _covered(said, each), default=None)
    if nearest is None:
        return 1.0
    covered = _covered(said, nearest)
    if covered >= ALIKE and deny_differently(said.text, nearest.text):
        return 1.0  # the opposite
    numbers = list(_numbers_lost(said, whole))
    # One other number makes it another claim.
    changed = max(LOST, _share(numbers)) if any(numbers) else 0.0
    return max(1.0 - covered, changed, _share(_names_lost(said, whole)))


def _covered(said: Said, other: Said) -> float:
    if not said.words:  # only numbers, which are compared by themselves
        return 1.0
    return len(said.words & other.words) / len(said.words)


def _numbers_lost(said: Said, whole: Said) -> Iterable[bool]:
    """Of each number, date and identifier, whether it stands nowhere in the other answer."""
    for day in said.days:
        yield not any(day.is_said_by(other) for other in whole.days)
    for quantity in said.quantities:
        yield not any(quantity.is_said_by(other) for other in whole.quantities)
    for code in said.codes:
        yield not stands_in(code, whole.text)


def _names_lost(said: Said, whole: Said) -> Iterable[bool]:
    for name in said.names:
        yield name not in whole.all_words


def _share(flags: Iterable[bool]) -> float:
    found = list(flags)
    return sum(found) / len(found) if found else 0.0
