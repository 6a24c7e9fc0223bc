"""Trains the reader of claims; it needs torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn.functional import softplus

from core.encoder.bundled import encoder
from core.encoder.network import ReadTokens
from core.encoder.word_pieces import WordPieces
from evaluation.harness.progress import track
from evaluation.reader import squad
from evaluation.support.learning import squad_claims, written
from evaluation.support.learning.squad_claims import Claimed, ClaimGroup
from evaluation.support.wiki_answers import READ, taught
from evaluation.training.encoder import Rows, TrainableEncoder, go_on
from evaluation.training.steps import BATCH, batches_of, rows_of, train
from worker.support.reading.claim_reader import row_of

SEED = 1
OF_SQUAD = 0.12  # share of the groups
MOST_UNSAID = 3  # of a group at a time
GROUPS = BATCH // (1 + MOST_UNSAID)  # of a batch


class ClaimRow(NamedTuple):
    """A claim as the network reads it."""

    row: ReadTokens


class GroupRow(NamedTuple):
    """A group as the network reads it; `row` is that of the claim that is said."""

    row: ReadTokens
    unsaid: tuple[ClaimRow, ...]


class TrainableClaims(TrainableEncoder):
    """The encoder, and a head that says whether a passage says a claim."""

    def forward(self, rows: Rows) -> Tensor:
        """Log-odds, shape (claims,)."""
        return torch.as_tensor(self.head(self.state(rows)[:, 0]).squeeze(-1))


def train_claims(data: Path, save: Path, steps: int, start: Path) -> float:
    """Writes the weights to `save`; gives the AUC on answers about wikis it has not seen.

    `start` are weights to go on from, those of the text reader at first.
    """
    torch.manual_seed(SEED)
    random = Random(SEED)
    file, pieces = encoder()
    network = TrainableClaims(file, outputs=1)
    go_on(network, start)
    # So nothing below the layers that learn is kept for the way back.
    network.seg.requires_grad_(requires_grad=False)
    of_squad = squad_claims.groups(squad.articles(data / "train-v1.1.json"), random)
    of_wikis = _again_and_again(list(written.groups(taught())), random)
    rows = (_group_row(each, pieces, random) for each in _mixed(of_squad, of_wikis, random))
    batches = batches_of(rows, random, GROUPS)
    for _ in track(train(network, batches, lambda batch: loss(network, batch), steps), "", steps):
        pass
    weights: dict[str, Any] = dict(network.trained())
    np.savez_compressed(save, **weights)
    return _power(network, list(written.groups(READ)), pieces)


def loss(network: TrainableClaims, batch: Sequence[GroupRow]) -> Tensor:
    """Of whether each is said, and of which of a group is: what they share cannot tell that."""
    flat = [ClaimRow(each.row) for each in batch] + [row for each in batch for row in each.unsaid]
    scores = network(rows_of(flat))
    said, unsaid = scores[: len(batch)], scores[len(batch) :]
    own = torch.tensor([at for at, each in enumerate(batch) for _ in each.unsaid], dtype=torch.long)
    found = softplus(-said).mean() / 2
    if len(unsaid):
        found = found + softplus(unsaid).mean() / 2 + softplus(unsaid - said[own]).mean()
    return torch.as_tensor(found)


def _mixed(
    of_squad: Iterator[ClaimGroup], of_wikis: Iterator[ClaimGroup], random: Random
) -> Iterator[ClaimGroup]:
    while True:
        yield next(of_squad if random.random() < OF_SQUAD else of_wikis)


def _again_and_again(found: Sequence[ClaimGroup], random: Random) -> Iterator[ClaimGroup]:
    while True:
        yield from random.sample(found, len(found))


def _group_row(group: ClaimGroup, pieces: WordPieces, random: Random) -> GroupRow:
    unsaid = random.sample(group.unsaid, min(len(group.unsaid), MOST_UNSAID))
    rows = tuple(ClaimRow(_row(each, pieces)) for each in unsaid)
    return GroupRow(_row(group.said, pieces), rows)


def _row(claimed: Claimed, pieces: WordPieces) -> ReadTokens:
    return row_of(claimed.claim, claimed.text, pieces)


def _power(network: TrainableClaims, groups: Sequence[ClaimGroup], pieces: WordPieces) -> float:
    said = dict.fromkeys(each.said for each in groups)
    unsaid = dict.fromkeys(chain.from_iterable(each.unsaid for each in groups))
    rows = [ClaimRow(_row(each, pieces)) for each in (*said, *unsaid)]
    found: list[float] = []
    network.eval()
    with torch.no_grad():
        for start in range(0, len(rows), BATCH):
            found += network(rows_of(rows[start : start + BATCH])).tolist()
    return float(roc_auc_score([1] * len(said) + [0] * len(unsaid), found))
