"""One training from the encoder to the file of weights; it needs torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from core.encoder.bundled import encoder
from core.encoder.word_pieces import WordPieces
from evaluation.employees.wikis import FITTED, AskedSet
from evaluation.harness.progress import track
from evaluation.reader import own, squad, twins, written
from evaluation.reader.contrasts import Contrast, contrasts
from evaluation.reader.training import (
    CONTRASTS,
    ReadContrast,
    TrainableReader,
    power,
    read_contrast,
    tokens_of,
    train,
)
from evaluation.training.encoder import go_on

SEED = 0
READ_ALONE = 300  # steps with SQuAD alone, before our own corpora are mixed in
# Shares of what is learned from: what others asked about their wikis, the same in other words, and
# twin questions; the rest is of SQuAD, where it is given, and of the corpora that we generate.
WRITTEN, OTHERWISE, TWINS = 0.3, 0.3, 0.3
SAVED_EVERY = 100  # steps
# Share of the weights to go on from in what a training leaves: so less is forgotten of what was
# known before (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
KEPT = 0.15
HELD_OUT = 1000  # pieces of wikis that it has not seen


def train_reader(
    data: Path | None, steps: int, folder: Path, save: Path, start: Path | None
) -> float:
    """Writes the weights to `save`; gives the AUC over pieces of wikis that it has not seen.

    `start` are weights to go on from: then it sees other examples, ours among them at once, and
    the weights of both are averaged in the end.

    Raises:
        DidNotStart: one of our corpora could not be indexed.
    """
    seed = SEED + 1 if start else SEED
    torch.manual_seed(seed)
    random = Random(seed)
    file, words = encoder()
    network = TrainableReader(file)
    if start:
        go_on(network, start)
    articles = squad.articles(data / "train-v1.1.json") if data else []
    others = (
        contrasts(list(written.pieces(folder)), random),
        contrasts(list(written.pieces(folder, AskedSet.OTHERWISE)), random),
        twins.contrasts(list(twins.twins(folder)), random),
    )
    ours = own.examples(own.pieces(folder), random)
    alone = 0 if start else READ_ALONE * CONTRASTS
    mixed = _mixed(_plain(articles, ours, random), others, random, alone)
    losses = track(train(network, _read(mixed, words), steps, random), "training", total=steps)
    for step, _ in enumerate(losses, 1):
        if step % SAVED_EVERY == 0 or step == steps:
            _save(network, save)
    if start:
        go_on(network, start, KEPT)
        _save(network, save)
    return _power(network, words, folder)


def _save(network: TrainableReader, save: Path) -> None:
    weights: dict[str, Any] = dict(network.trained())
    np.savez_compressed(save, **weights)


def _read(contrasts: Iterator[Contrast], words: WordPieces) -> Iterator[ReadContrast]:
    return filter(None, (read_contrast(each, words) for each in contrasts))


def _mixed(
    plain: Iterator[Contrast], others: Sequence[Iterator[Contrast]], random: Random, alone: int
) -> Iterator[Contrast]:
    """Without end: so many plain ones alone, then all between each other by their shares."""
    shares = WRITTEN, OTHERWISE, TWINS
    yield from islice(plain, alone)
    sources = [plain, *others]
    weights = [1 - sum(shares), *shares]
    while True:
        (source,) = random.choices(sources, weights)
        yield next(source)


def _plain(
    articles: Sequence[squad.Article], ours: Iterator[squad.Example], random: Random
) -> Iterator[Contrast]:
    """Without end: those of SQuAD, and one of ours beside each; without SQuAD ours alone."""
    while True:
        for example in squad.examples(articles, random):
            yield (example,)
            yield (next(ours),)
        yield (next(ours),)


def _power(network: TrainableReader, words: WordPieces, folder: Path) -> float:
    found = written.pieces(folder, names=FITTED)
    examples = [each for one in found for part in one for each in part]
    some = Random(SEED).sample(examples, min(len(examples), HELD_OUT))
    return power(network, list(filter(None, (tokens_of(each, words) for each in some))))
