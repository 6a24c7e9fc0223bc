"""Word salad: a wiki of any size for measuring time, with as many different words as a real one.

Nothing is said of how good a search is. Words are as rare as in language (Zipf), and as many as
in a wiki in two languages with compounds (Heaps): 61,000 in 100,000 pieces.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate

import numpy as np

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.models import Evidence, Kind, Page

PER_PAGE = 20
WORDS = 60  # of a piece
DIMENSIONS = 512
HEAPS = 25  # different words by the square root of all
# Words of the same first two syllables are neighbours in meaning: their cosine similarity is this.
ALIKE = 0.7
ASKED = 8  # words of a question; a page brings more
COMMON = 20  # words, the most frequent ones, that nobody asks for
# How much of a word's vector lies along each direction, and along the one that all words share.
# Fitted to 5,000 English and German words under the bundled encoder: 64, 128 and 256 directions
# hold .76, .89 and .98 of the squared length.
_PLACES = np.arange(DIMENSIONS)
_ALONG = np.sqrt(np.exp(-_PLACES / 85) + 4 * np.exp(-_PLACES / 10))
_IN_COMMON = 6.0


class Scattered:
    """The bundled encoder for questions; pieces and single words get vectors that cost nothing."""

    name = "scattered"

    def __init__(self) -> None:
        self._real = Bundled()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if all(text.endswith("?") for text in texts):
            return self._real.embed(texts)
        rows = np.array([_vector(text) for text in texts], np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def embed_questions(self, questions: Sequence[str]) -> Vectors:
        return self._real.embed_questions(questions)


class ScatteredWords(Scattered):
    """For the words of a question: they take the real encoder's time, and get such vectors too."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) <= ASKED:
            self._real.embed(texts)
        return super().embed(texts)


def pages(size: int) -> Iterator[tuple[Page, list[Evidence]]]:
    """Pages of twenty pieces of sixty words; half of a title's four words are rare ones."""
    chance = random.Random(7)
    words, weights = vocabulary(size)
    for number in range(size // PER_PAGE):
        title = chance.choices(words, cum_weights=weights, k=2) + chance.choices(words, k=2)
        page = Page(
            id=str(number),
            space="ENG",
            title=" ".join(title),
            url=f"https://wiki.example/{number}",
        )
        pieces = []
        for place in range(PER_PAGE):
            text = " ".join(chance.choices(words, cum_weights=weights, k=WORDS))
            pieces.append(_piece(number, place, text))
        yield page, pieces


def questions(size: int, count: int) -> Iterator[str]:
    """Eight words each, every tenth of them in no page."""
    chance = random.Random(8)
    words, weights = vocabulary(size)
    common = weights[COMMON - 1]
    rarer = [weight - common for weight in weights[COMMON:]]
    for _ in range(count):
        drawn = chance.choices(words[COMMON:], cum_weights=rarer, k=ASKED)
        said = [word if chance.random() < 0.9 else word[::-1] for word in drawn]
        yield " ".join(said) + "?"


def _piece(page: int, place: int, text: str) -> Evidence:
    return Evidence(
        id=f"{page}-{place}", page_id=str(page), kind=Kind.PASSAGE, text=text, position=place
    )


def vocabulary(size: int) -> tuple[list[str], list[float]]:
    """The words, and their weights after Zipf, each with those of all words before it."""
    chance = random.Random(9)
    count = int(HEAPS * (size * WORDS) ** 0.5)
    words = list(dict.fromkeys(_word(chance) for _ in range(count)))
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def _word(chance: random.Random) -> str:
    syllables = chance.randint(3, 6)
    letters = (chance.choice(kind) for kind in ("bdfgklmnprst", "aeiou") * syllables)
    return "".join(letters)


def _vector(text: str) -> Vectors:
    own = _drawn(text)
    if not text.isalpha():
        return own
    shared = _drawn(text[:4])
    mixed = ALIKE**0.5 * shared + (1 - ALIKE) ** 0.5 * own
    vector = mixed * _ALONG
    vector[0] += _IN_COMMON
    return np.asarray(vector, np.float32)


def _drawn(text: str) -> Vectors:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=4).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSIONS, np.float32)
