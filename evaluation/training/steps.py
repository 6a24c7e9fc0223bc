"""Steps of AdamW (Loshchilov and Hutter 2019) over examples that are mixed as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Protocol, TypeVar

import torch
from torch import Tensor

from core.encoder.network import ReadTokens
from evaluation.training.encoder import Rows, TrainableEncoder

BATCH = 32
POOLED = 24  # batches of rows that are sorted by length, so that little is padding
RATE, RATE_OF_HEADS = 1e-3, 5e-4
WARM_UP = 60  # steps
LEAST_RATE = 0.02  # of the rate, at the end
PADDING = 1
STRIDE = 16  # tokens


class HasRow(Protocol):
    """An example as the network reads it, whatever else is known of it."""

    @property
    def row(self) -> ReadTokens: ...


Drawn = TypeVar("Drawn", bound=HasRow)


def rows_of(examples: Sequence[HasRow]) -> Rows:
    """Side by side, as long as the longest, or a little longer: shapes are few and known then."""
    longest = max(len(each.row.tokens) for each in examples)
    shape = len(examples), -(-longest // STRIDE) * STRIDE
    tokens = torch.full(shape, PADDING)
    kinds = torch.zeros(shape, dtype=torch.long)
    mask = torch.zeros(shape, dtype=torch.bool)
    for number, each in enumerate(examples):
        length = len(each.row.tokens)
        tokens[number, :length] = torch.tensor(each.row.tokens)
        kinds[number, each.row.text_from : length] = 1
        mask[number, :length] = True
    return Rows(tokens, kinds, mask)


def train(
    network: TrainableEncoder,
    batches: Iterator[Sequence[Drawn]],
    loss_of: Callable[[Sequence[Drawn]], Tensor],
    steps: int,
) -> Iterator[float]:
    """Trains in place; the loss of each step."""
    heads = network.heads()
    known = {id(each) for each in heads}
    others = [each for each in network.parameters() if each.requires_grad and id(each) not in known]
    groups = [{"params": heads, "lr": RATE_OF_HEADS}, {"params": others, "lr": RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / WARM_UP) * max(LEAST_RATE, 1 - step / steps)
    )
    network.train()
    for batch in islice(batches, steps):
        loss = loss_of(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*heads, *others], 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        yield float(loss.detach())


def batches_of(
    examples: Iterator[Drawn], random: Random, size: int = BATCH
) -> Iterator[list[Drawn]]:
    """Of rows of like length, in any order."""
    while pool := sorted(islice(examples, size * POOLED), key=lambda each: len(each.row.tokens)):
        starts = list(range(0, len(pool), size))
        random.shuffle(starts)
        for start in starts:
            yield pool[start : start + size]
