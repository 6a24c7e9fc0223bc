"""What the reader of texts learns from an example: whether the text answers, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn import functional

from core.encoder.bundled import BEGIN, END
from core.encoder.network import ReadTokens
from core.encoder.weights import EncoderFile
from core.encoder.word_pieces import WordPieces
from evaluation.reader.squad import Example
from evaluation.training import steps as training
from evaluation.training.encoder import Rows, TrainableEncoder
from evaluation.training.steps import BATCH, batches_of, rows_of
from worker.reading.reader import LONGEST_ASKED, LONGEST_TEXT

SPAN_WEIGHT = 0.5  # of the loss of where the answer stands, against that of whether
UNKNOWN = -100  # where an answer stands that is not known word by word; torch leaves it out
NEVER = -1e4  # log-odds of what cannot be


class AnswerExample(NamedTuple):
    """An example as the network reads it."""

    row: ReadTokens
    answers: bool
    start: int
    end: int


class TrainableReader(TrainableEncoder):
    """The encoder, a head that says whether a text answers, and one that says where."""

    def __init__(self, encoder: EncoderFile) -> None:
        super().__init__(encoder, outputs=1)
        self.span = nn.Linear(encoder.shape.width, 2)

    def forward(self, rows: Rows) -> tuple[Tensor, Tensor]:
        """Log-odds that texts answer, shape (texts,), and of where, (texts, tokens, 2)."""
        state = self.state(rows)
        return self.head(state[:, 0]).squeeze(-1), self.span(state)

    def heads(self) -> list[nn.Parameter]:
        return [*super().heads(), *self.span.parameters()]


def tokens_of(example: Example, words: WordPieces) -> AnswerExample | None:
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
    return AnswerExample(ReadTokens(tokens, text_from), example.answers, start, end)


def train(
    network: TrainableReader, examples: Iterator[AnswerExample], steps: int, random: Random
) -> Iterator[float]:
    """Trains in place; the loss of each step."""

    def loss_of(batch: Sequence[AnswerExample]) -> Tensor:
        return _loss(network, batch)

    return training.train(network, batches_of(examples, random), loss_of, steps)


def power(network: TrainableReader, examples: Sequence[AnswerExample]) -> float:
    """AUC of whether texts answer, over examples that were not trained on."""
    found: list[float] = []
    network.eval()
    with torch.no_grad():
        for start in range(0, len(examples), BATCH):
            found += network(rows_of(examples[start : start + BATCH]))[0].tolist()
    return float(roc_auc_score([each.answers for each in examples], found))


def _loss(network: TrainableReader, batch: Sequence[AnswerExample]) -> Tensor:
    rows = rows_of(batch)
    answers, spans = network(rows)
    # An answer stands in the text, or nowhere: then the first token stands for it.
    can_be = rows.mask & (rows.kinds == 1)
    can_be[:, 0] = True
    spans = spans.masked_fill(~can_be[:, :, None], NEVER)
    is_said = torch.tensor([float(each.answers) for each in batch])
    starts = torch.tensor([each.start for each in batch])
    ends = torch.tensor([each.end for each in batch])
    whether = functional.binary_cross_entropy_with_logits(answers, is_said)
    where = functional.cross_entropy(spans[:, :, 0], starts)
    where = where + functional.cross_entropy(spans[:, :, 1], ends)
    return whether + SPAN_WEIGHT * where / 2
