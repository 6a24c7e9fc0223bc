"""What the reader of texts learns: whether a text answers, where, and which of two does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
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
from evaluation.reader.contrasts import Contrast
from evaluation.reader.squad import Example
from evaluation.training import steps as training
from evaluation.training.encoder import Rows, TrainableEncoder
from evaluation.training.steps import BATCH, batches_of, rows_of
from worker.reading.reader import LONGEST_ASKED, LONGEST_TEXT

# Of the losses of where the answer stands and of which of two texts answers, against that of
# whether one does.
SPAN_WEIGHT, PAIR_WEIGHT = 0.5, 0.5
CONTRASTS = 18  # of a step; most have two examples
UNKNOWN = -100  # where an answer stands that is not known word by word; torch leaves it out
NEVER = -1e4  # log-odds of what cannot be


class AnswerExample(NamedTuple):
    """An example as the network reads it."""

    row: ReadTokens
    answers: bool
    start: int
    end: int


class ReadContrast(NamedTuple):
    """A contrast as the network reads it; `row` is that of its first example."""

    row: ReadTokens
    examples: tuple[AnswerExample, ...]


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


def read_contrast(contrast: Contrast, words: WordPieces) -> ReadContrast | None:
    """None where nothing of it can be read."""
    read = tuple(filter(None, (tokens_of(each, words) for each in contrast)))
    return ReadContrast(read[0].row, read) if read else None


def train(
    network: TrainableReader, contrasts: Iterator[ReadContrast], steps: int, random: Random
) -> Iterator[float]:
    """Trains in place; the loss of each step."""

    def loss_of(batch: Sequence[ReadContrast]) -> Tensor:
        return _loss(network, batch)

    return training.train(network, batches_of(contrasts, random, CONTRASTS), loss_of, steps)


def power(network: TrainableReader, examples: Sequence[AnswerExample]) -> float:
    """AUC of whether texts answer, over examples that were not trained on."""
    found: list[float] = []
    network.eval()
    with torch.no_grad():
        for start in range(0, len(examples), BATCH):
            found += network(rows_of(examples[start : start + BATCH]))[0].tolist()
    return float(roc_auc_score([each.answers for each in examples], found))


def _loss(network: TrainableReader, batch: Sequence[ReadContrast]) -> Tensor:
    flat = [example for contrast in batch for example in contrast.examples]
    rows = rows_of(flat)
    answers, spans = network(rows)
    found = _of_each(flat, rows, answers, spans)
    firsts = accumulate((len(each.examples) for each in batch), initial=0)
    pairs = [at for at, each in zip(firsts, batch, strict=False) if _is_pair(each)]
    if pairs:
        said = torch.tensor(pairs)
        which = functional.softplus(answers[said + 1] - answers[said]).mean()
        found = found + PAIR_WEIGHT * which
    return torch.as_tensor(found)


def _is_pair(contrast: ReadContrast) -> bool:
    return [each.answers for each in contrast.examples] == [True, False]


def _of_each(flat: Sequence[AnswerExample], rows: Rows, answers: Tensor, spans: Tensor) -> Tensor:
    """Of whether each answers, and where."""
    # An answer stands in the text, or nowhere: then the first token stands for it.
    can_be = rows.mask & (rows.kinds == 1)
    can_be[:, 0] = True
    spans = spans.masked_fill(~can_be[:, :, None], NEVER)
    is_said = torch.tensor([float(each.answers) for each in flat])
    starts = torch.tensor([each.start for each in flat])
    ends = torch.tensor([each.end for each in flat])
    whether = functional.binary_cross_entropy_with_logits(answers, is_said)
    where = functional.cross_entropy(spans[:, :, 0], starts)
    where = where + functional.cross_entropy(spans[:, :, 1], ends)
    return torch.as_tensor(whether + SPAN_WEIGHT * where / 2)
