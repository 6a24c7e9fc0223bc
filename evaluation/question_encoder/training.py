"""The question encoder in torch: it learns to find the pieces that answer among all of a wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.embeddings.question_encoder import row_of
from core.encoder.bundled import encoder
from core.encoder.network import ReadTokens
from core.encoder.weights import EncoderFile
from core.encoder.word_pieces import WordPieces
from evaluation.harness.progress import track
from evaluation.question_encoder.asked import Asked
from evaluation.reader.squad import as_typed
from evaluation.training.encoder import Rows, TrainableEncoder
from evaluation.training.steps import rows_of, train

SEED = 0
BATCH = 48  # questions of a step
TEMPERATURE = 0.05  # of the cosines, as is usual with contrastive losses


class AskedExample(NamedTuple):
    """A question as the network reads it, and where it has to come."""

    row: ReadTokens
    vector: Vectors  # as it is embedded without the network
    asked: Asked


class TrainableQuestions(TrainableEncoder):
    """The encoder, and a head over the mean of its tokens that says how far a question moves."""

    def __init__(self, encoder: EncoderFile, dimensions: int) -> None:
        super().__init__(encoder, dimensions)
        # One layer: with another before it, what nears is learned more slowly and worse.
        self.head = nn.Linear(encoder.shape.width, dimensions)
        nn.init.zeros_(self.head.weight)  # it begins where the embedder left the question
        nn.init.zeros_(self.head.bias)

    def forward(self, rows: Rows, vectors: Tensor) -> Tensor:
        """Unit vectors, shape (questions, dimensions)."""
        state, mask = self.state(rows), rows.mask[:, :, None].float()
        mean = (state * mask).sum(1) / mask.sum(1)
        return functional.normalize(vectors + self.head(mean), dim=-1)


class Questions:
    """Examples out of questions, each embedded once."""

    def __init__(self, pieces: WordPieces) -> None:
        self._pieces = pieces
        self._embedder = Bundled()

    def drawn(self, asked: Sequence[Asked], random: Random) -> Iterator[list[AskedExample]]:
        """Batches without end, some of the questions as people mistype them."""
        while True:
            chosen = random.sample(asked, BATCH)
            yield self.examples([(as_typed(each.text, random), each) for each in chosen])

    def examples(self, asked: Sequence[tuple[str, Asked]]) -> list[AskedExample]:
        """Of questions as they are put, and what they ask."""
        vectors = self._embedder.embed([text for text, _ in asked])
        return [
            AskedExample(row_of(text, self._pieces), vector, each)
            for (text, each), vector in zip(asked, vectors, strict=True)
        ]


def train_questions(asked: Sequence[Asked], steps: int, save: Path) -> TrainableQuestions:
    """Writes the weights to `save`."""
    torch.manual_seed(SEED)
    file, pieces = encoder()
    network = TrainableQuestions(file, asked[0].vectors.shape[1])
    batches = Questions(pieces).drawn(asked, Random(SEED))

    def loss_of(batch: Sequence[AskedExample]) -> Tensor:
        return _loss(network, batch)

    for _ in track(train(network, batches, loss_of, steps), "training", total=steps):
        pass
    weights: dict[str, Any] = dict(network.trained())
    np.savez_compressed(save, **weights)
    return network


def _loss(network: TrainableQuestions, batch: Sequence[AskedExample]) -> Tensor:
    """How unlikely what answers is among all pieces of the wiki, by a softmax of cosines."""
    moved = network(rows_of(batch), _vectors(batch))
    losses = []
    for example, question in zip(batch, moved, strict=True):
        scores = torch.from_numpy(example.asked.vectors) @ question / TEMPERATURE
        right = torch.tensor(example.asked.right)
        losses.append(scores.logsumexp(0) - scores[right].logsumexp(0))
    return torch.stack(losses).mean()


def _vectors(batch: Sequence[AskedExample]) -> Tensor:
    return torch.from_numpy(np.stack([each.vector for each in batch]))
