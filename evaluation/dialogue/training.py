"""Trains the reader of messages on what people said that messages mean; it needs torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.dialogue.trained import MEANINGS, row_of
from core.encoder.bundled import encoder
from core.encoder.network import ReadTokens
from core.encoder.word_pieces import WordPieces
from evaluation.dialogue.taught import TaughtMessage
from evaluation.harness.progress import track
from evaluation.training.encoder import Rows, TrainableEncoder, go_on
from evaluation.training.steps import batches_of, rows_of, train

SEED = 0
# Nobody labels without a slip: a share of what is sure is given to the other meanings.
SMOOTHED = 0.05


class MeaningExample(NamedTuple):
    """A message as the network reads it."""

    row: ReadTokens
    meaning: int
    weight: float


class TrainableMeanings(TrainableEncoder):
    """The encoder, and a head that says how likely each meaning is."""

    def forward(self, rows: Rows) -> Tensor:
        """Scores, shape (messages, meanings)."""
        return torch.as_tensor(self.head(self.state(rows)[:, 0]))


def train_meanings(
    learned: Sequence[TaughtMessage], save: Path, steps: int, start: Path | None
) -> None:
    """Writes the weights to `save`; `start` are weights to go on from."""
    torch.manual_seed(SEED)
    random = Random(SEED)
    file, pieces = encoder()
    network = TrainableMeanings(file, len(MEANINGS))
    if start:
        go_on(network, start)
    examples = [_example(each, pieces) for each in [*learned, *map(_as_known, learned)]]

    def loss_of(batch: Sequence[MeaningExample]) -> Tensor:
        return _loss(network, batch)

    batches = batches_of(_again_and_again(examples, random), random)
    for _ in track(train(network, batches, loss_of, steps), "training", total=steps):
        pass
    weights: Mapping[str, Any] = dict(network.trained())
    np.savez_compressed(save, **weights)


def _as_known(learned: TaughtMessage) -> TaughtMessage:
    """As the bot often knows it: that it has answered, and not with which words."""
    said = learned.message.before
    before = tuple(replace(line, text="") if line.by_bot else line for line in said)
    return replace(learned, message=replace(learned.message, before=before))


def _example(learned: TaughtMessage, pieces: WordPieces) -> MeaningExample:
    row = row_of(learned.message, pieces)
    return MeaningExample(row, MEANINGS.index(learned.meaning), learned.weight)


def _again_and_again(
    examples: Sequence[MeaningExample], random: Random
) -> Iterator[MeaningExample]:
    while True:
        yield from random.sample(examples, len(examples))


def _loss(network: TrainableMeanings, batch: Sequence[MeaningExample]) -> Tensor:
    wanted = torch.tensor([each.meaning for each in batch])
    weights = torch.tensor([each.weight for each in batch])
    scores = network(rows_of(batch))
    losses = functional.cross_entropy(scores, wanted, reduction="none", label_smoothing=SMOOTHED)
    return torch.as_tensor((losses * weights).sum() / weights.sum())
