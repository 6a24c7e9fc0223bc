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
from evaluation.harness.progress import track
from evaluation.reader import own, squad, twins, written
from evaluation.reader.squad import Example
from evaluation.reader.training import AnswerExample, TrainableReader, power, tokens_of, train
from evaluation.training.encoder import go_on
from evaluation.training.steps import BATCH

SEED = 0
READ_ALONE = 300  # steps with SQuAD alone, before our own corpora are mixed in
# Shares of the examples: from the corpora that we generate, of the wikis that others wrote what
# employees type and twin questions; the rest is SQuAD's.
GENERATED, WRITTEN, TWINS = 0.1, 0.3, 0.4
SAVED_EVERY = 100  # steps
# Share of the weights to go on from in what a training leaves: so less is forgotten of what was
# known before (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
KEPT = 0.15
HELD_OUT = 500  # examples of SQuAD's own development set


def train_reader(data: Path, steps: int, folder: Path, save: Path, start: Path | None) -> float:
    """Writes the weights to `save`; gives the AUC on SQuAD's development set.

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
    held_out = squad.examples(squad.articles(data / "dev-v1.1.json"), Random(SEED))
    apart = list(islice(filter(None, (tokens_of(each, words) for each in held_out)), HELD_OUT))
    articles = squad.articles(data / "train-v1.1.json")
    ours = own.examples(own.pieces(folder), random)
    theirs = own.examples(list(written.pieces(folder)), random)
    alike = twins.examples(list(twins.twins(folder)), random)
    alone = 0 if start else READ_ALONE * BATCH
    examples = _mixed(articles, (ours, theirs, alike), words, random, alone)
    losses = track(train(network, examples, steps, random), "training", total=steps)
    for step, _ in enumerate(losses, 1):
        if step % SAVED_EVERY == 0 or step == steps:
            _save(network, save)
    if start:
        go_on(network, start, KEPT)
        _save(network, save)
    return power(network, apart)


def _save(network: TrainableReader, save: Path) -> None:
    weights: dict[str, Any] = dict(network.trained())
    np.savez_compressed(save, **weights)


def _mixed(
    articles: Sequence[squad.Article],
    others: Sequence[Iterator[Example]],
    words: WordPieces,
    random: Random,
    alone: int,
) -> Iterator[AnswerExample]:
    """Without end: so many of SQuAD's alone, then all between each other by their shares."""
    shares = (GENERATED, WRITTEN, TWINS)
    given = 0
    while True:
        for example in squad.examples(articles, random):
            drawn = [example]
            while given >= alone and random.random() < sum(shares):
                (source,) = random.choices(others, shares)
                drawn.append(next(source))
            for tokens in filter(None, (tokens_of(each, words) for each in drawn)):
                given += 1
                yield tokens
