"""Losses: how much of each sentence of the saved answer another answer no longer says.

Of a sentence s with content words W: `max(1 - max over the other's sentences t of
|W_s & W_t| / |W_s|, share of its numbers and names that are nowhere)`; a number that became another
one makes it another claim. Near sentences, by their vectors, cover each other too. No word has a
column of its own: a sentence is worded differently each time, and yet its numbers and names stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from core import grammar
from core.embeddings import Embedder
from core.embeddings.once import EmbeddedOnce
from core.language import language
from worker.attribution.statistics.answer_distance import plain, sentences_of
from worker.support.claims import Claim, claims
from worker.support.dates import Day, taken_out
from worker.support.identifiers import identifiers, names, stands_in
from worker.support.polarity import opposes, sets_a_limit
from worker.support.quantities import Quantity, quantities
from worker.support.words import content, is_covered

Losses = NDArray[np.float64]  # shape (answers, columns), 0 all is said to 1 nothing is

MEAN, NUMBERS, NAMES, FIRST_SENTENCE = range(4)  # columns
LOST = 0.6  # from then on a sentence counts as lost
# Cosines of two sentences: up to the one they say different things, from the other on the same.
UNLIKE, SAME = 0.4, 0.9
ALIKE = 0.6  # of its words: a sentence that has as many and denies it is the opposite


@dataclass(frozen=True)
class Said:
    """A sentence, or a whole answer, as it is compared."""

    text: str
    nouns_have_capitals: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """Without those of dates, which are compared by themselves."""
        return frozenset(content(taken_out(self.text)[1]))

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

    def __init__(self, answer: str, embedder: Embedder | None = None) -> None:
        """Without an embedder only words are compared."""
        self.text = plain(answer)
        self._vectors = EmbeddedOnce(embedder) if embedder else None
        known = grammar.languages().get(language(self.text) or "")
        self._nouns_have_capitals = known is None or known.nouns_have_capitals
        self.sentences = _claiming(answer)
        self._said = [self._read(sentence) for sentence in self.sentences]
        self._rows: dict[str, list[float]] = {}

    @property
    def said(self) -> Sequence[Said]:
        """Each sentence as it is compared."""
        return self._said

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

    def nearness(self, theirs: Sequence[str]) -> NDArray[np.float64]:
        """How near in meaning, 0 to 1, each of our sentences is to each of theirs."""
        if self._vectors is None or not theirs:
            return np.zeros((len(self.sentences), len(theirs)))
        ours = self._vectors.embed(self.sentences)
        cosines = np.asarray(ours @ self._vectors.embed(theirs).T, dtype=float)
        return np.clip((cosines - UNLIKE) / (SAME - UNLIKE), 0.0, 1.0)

    def nearest(self, sentence: int, other: str) -> str:
        """What another answer says where the saved one says this sentence; empty: nothing like it.

        What shares no word with it says something else, unless it is all there is.
        """
        theirs = sentences_of(other)
        ours = self._said[sentence].words
        best = max(theirs, key=lambda each: len(ours & self._read(each).words), default="")
        is_like_it = bool(ours & self._read(best).words)
        if not is_like_it and len(theirs) > 1:
            return ""
        return _from_the_same_word(best, self.sentences[sentence])

    def _read(self, text: str) -> Said:
        return _read(text, self._nouns_have_capitals)

    def _row(self, other: str) -> list[float]:
        bare = plain(other)
        whole = self._read(bare)
        theirs = [self._read(sentence) for sentence in sentences_of(other)]
        near = self.nearness([said.text for said in theirs])
        losses = [_loss(*each, theirs, whole) for each in zip(self._said, near, strict=True)]
        numbers = _share(flag for said in self._said for flag in _numbers_lost(said, whole))
        lost_names = _share(flag for said in self._said for flag in _names_lost(said, whole))
        return [sum(losses) / max(len(losses), 1), numbers, lost_names, *losses]


@lru_cache(maxsize=4096)
def _read(text: str, nouns_have_capitals: bool) -> Said:
    return Said(text, nouns_have_capitals)


def _claiming(answer: str) -> tuple[str, ...]:
    """The sentences that say something, without what leads to it; all, where none does."""
    found = sentences_of(answer)
    claiming = [Claim(each, frozenset()).plain for each in found if _claims(each)]
    return tuple(claiming) or found


def _from_the_same_word(sentence: str, ours: str) -> str:
    """Without what leads to it ("The pages say:"), where ours begins with what follows."""
    _, colon, rest = sentence.partition(": ")
    begins_alike = rest.split(maxsplit=1)[:1] == ours.split(maxsplit=1)[:1]
    return rest if colon and begins_alike else sentence


def _claims(sentence: str) -> bool:
    return bool(claims(sentence)) or any(map(str.isdigit, sentence))


def _loss(said: Said, near: NDArray[np.float64], theirs: Sequence[Said], whole: Said) -> float:
    if said.text in whole.text:
        return 0.0
    coverage = [_covered(said, each) for each in theirs]
    if not coverage:
        return 1.0
    by_words = int(np.argmax(coverage))
    covered, nearest = max(coverage[by_words], float(near.max())), theirs[by_words]
    if coverage[by_words] >= ALIKE and _is_opposite(said.text, nearest.text):
        return 1.0
    facts = [*_numbers_lost(said, whole), *_names_lost(said, whole)]
    changed = LOST if _says_another_number(said, nearest, whole) else 0.0
    return max(1.0 - covered, changed, _share(facts))


def _is_opposite(one: str, other: str) -> bool:
    """Limits are left out: "carries no more than 90 kg" says what "carries at most 90 kg" says."""
    return opposes(one, other) and not (sets_a_limit(one) or sets_a_limit(other))


def _says_another_number(said: Said, nearest: Said, whole: Said) -> bool:
    """Whether a number is not there, and the nearest sentence has one that we do not say."""
    gone = [each for each in said.quantities if not _is_said(each, whole.quantities)]
    return bool(gone) and any(not _is_said(each, said.quantities) for each in nearest.quantities)


def _is_said(quantity: Quantity, others: Sequence[Quantity]) -> bool:
    return any(quantity.is_said_by(other) for other in others)


def _covered(said: Said, other: Said) -> float:
    if not said.words:  # only numbers, which are compared by themselves
        return 1.0
    return sum(is_covered(word, other.words) for word in said.words) / len(said.words)


def _numbers_lost(said: Said, whole: Said) -> Iterable[bool]:
    """Of each number, date and identifier, whether it stands nowhere in the other answer."""
    for day in said.days:
        yield not any(day.is_said_by(other) for other in whole.days)
    for quantity in said.quantities:
        yield not _is_said(quantity, whole.quantities)
    for code in said.codes:
        yield not stands_in(code, whole.text)


def _names_lost(said: Said, whole: Said) -> Iterable[bool]:
    for name in said.names:
        yield name not in whole.all_words


def _share(flags: Iterable[bool]) -> float:
    found = list(flags)
    return sum(found) / len(found) if found else 0.0
