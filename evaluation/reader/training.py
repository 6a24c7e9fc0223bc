"""Trains the reader: a few thousand steps of AdamW over examples that are mixed as they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn import functional

from evaluation.reader.squad import Example
from evaluation.reader.trainable import TrainableNetwork
from worker.reading.reader import BEGIN, END, LONGEST_ASKED, LONGEST_TEXT
from worker.reading.word_pieces import WordPieces

BATCH = 32
POOLED = 24  # batches of texts that are sorted by length, so that little is padding
RATE, RATE_OF_HEADS = 1e-3, 5e-4
WARM_UP = 60  # steps
LEAST_RATE = 0.02  # of the rate, at the end
SPAN_WEIGHT = 0.5  # of the loss of where the answer stands, against that of whether
PADDING = 1
UNKNOWN = -100  # where an answer stands that is not known word by word; torch leaves it out
NEVER = -1e4  # log-odds of what cannot be


class Tokens(NamedTuple):
    """An example as the network reads it."""

    tokens: list[int]
    text_from: int
    answers: bool
    start: int
    end: int


class Batch(NamedTuple):
    """Examples side by side; shapes (texts, tokens) and (texts,)."""

    tokens: Tensor
    kinds: Tensor
    mask: Tensor
    answers: Tensor
    starts: Tensor
    ends: Tensor


def tokens_of(example: Example, words: WordPieces) -> Tokens | None:
    """None where the answer stands beyond what is read."""
    question = words.encode(example.question).ids[:LONGEST_ASKED]
    read = words.encode(example.text)
    text_from = len(question) + 3
    start = end = UNKNOWN if example.answers else 0
    if example.span:
        first, last = example.span
        inside = [
            place
            for place, (begin, stop) in enumerate(read.offsets[:LONGEST_TEXT])
            if stop > first and begin < last
        ]
        if not inside:
            return None
        start, end = text_from + inside[0], text_from + inside[-1]
    tokens = [BEGIN, *question, END, END, *read.ids[:LONGEST_TEXT], END]
    return Tokens(tokens, text_from, example.answers, start, end)


def batch_of(examples: Sequence[Tokens]) -> Batch:
    shape = len(examples), max(len(each.tokens) for each in examples)
    tokens = torch.full(shape, PADDING)
    kinds = torch.zeros(shape, dtype=torch.long)
    mask = torch.zeros(shape, dtype=torch.bool)
    for row, each in enumerate(examples):
        tokens[row, : len(each.tokens)] = torch.tensor(each.tokens)
        kinds[row, each.text_from : len(each.tokens)] = 1
        mask[row, : len(each.tokens)] = True
    answers = torch.tensor([float(each.answers) for each in examples])
    starts, ends = (torch.tensor([each[place] for each in examples]) for place in (3, 4))
    return Batch(tokens, kinds, mask, answers, starts, ends)


def train(
    network: TrainableNetwork, examples: Iterator[Tokens], steps: int, random: Random
) -> Iterator[float]:
    """Trains in place; the loss of each step."""
    heads, others = _parameters(network)
    groups = [{"params": heads, "lr": RATE_OF_HEADS}, {"params": others, "lr": RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / WARM_UP) * max(LEAST_RATE, 1 - step / steps)
    )
    network.train()
    for batch in islice(_batches(examples, random), steps):
        loss = _loss(network, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*heads, *others], 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        yield float(loss.detach())


def power(network: TrainableNetwork, examples: Sequence[Tokens]) -> float:
    """AUC of whether texts answer, over examples that were not trained on."""
    found: list[float] = []
    network.eval()
    with torch.no_grad():
        for start in range(0, len(examples), BATCH):
            batch = batch_of(examples[start : start + BATCH])
            found += network(batch.tokens, batch.kinds, batch.mask)[0].tolist()
    return float(roc_auc_score([each.answers for each in examples], found))


def _loss(network: TrainableNetwork, batch: Batch) -> Tensor:
    answers, spans = network(batch.tokens, batch.kinds, batch.mask)
    # An answer stands in the text, or nowhere: then the first token stands for it.
    can_be = batch.mask & (batch.kinds == 1)
    can_be[:, 0] = True
    spans = spans.masked_fill(~can_be[:, :, None], NEVER)
    whether = functional.binary_cross_entropy_with_logits(answers, batch.answers)
    where = functional.cross_entropy(spans[:, :, 0], batch.starts)
    where = where + functional.cross_entropy(spans[:, :, 1], batch.ends)
    return whether + SPAN_WEIGHT * where / 2


def _batches(examples: Iterator[Tokens], random: Random) -> Iterator[Batch]:
    """Of texts of like length, in any order."""
    while pool := sorted(islice(examples, BATCH * POOLED), key=lambda each: len(each.tokens)):
        starts = list(range(0, len(pool), BATCH))
        random.shuffle(starts)
        for start in starts:
            yield batch_of(pool[start : start + BATCH])


def _parameters(
    network: TrainableNetwork,
) -> tuple[list[torch.nn.Parameter], list[torch.nn.Parameter]]:
    """Those of the heads, and all others that change."""
    heads = [*network.head.parameters(), *network.span.parameters()]
    known = {id(each) for each in heads}
    others = [each for each in network.parameters() if each.requires_grad and id(each) not in known]
    return heads, others
