"""Losses from scores: those that `statistics.losses` would find in an answer, as expected values.

A word that the model says with probability p where it has all of the evidence, and with q where it
has some, is said again with probability min(1, q / p), the rest of the answer being as it was. So
the share of a sentence's words that another answer has is expected to be the mean of these; and
its loss is max(1 - that mean, mean loss of its numbers and names, loss of its least likely number).
A number counts in full, since another number makes it another claim. Nothing is fitted: 0.6 is lost
here as there.

ContextCite (Cohen-Wang et al. 2024, arXiv 2409.00729) regresses the logit of the probability of the
whole response. One word that nobody would say decides that as much as a sentence that is lost;
the mean over words with a bound on each does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp

import numpy as np

from worker.attribution.scoring.answer_words import AnswerWord, WordKind, scored_text, words_of
from worker.attribution.statistics.losses import Losses, SavedAnswer
from worker.generation.endpoint.token_scores import Scores

Loss = tuple[WordKind, float]  # of one word, 0 as likely as before to 1 never said


class ExpectedLosses:
    """Losses of one saved answer, against its scores with all of the evidence."""

    def __init__(self, saved: SavedAnswer, answer: str, everything: Scores) -> None:
        """`answer` is the saved one as it was written, with its citations."""
        self._columns = saved.columns
        self._words = words_of(scored_text(answer), saved.said)
        self._everything = everything

    def losses(self, others: Sequence[Scores]) -> Losses:
        """A row for each; the columns are those of `statistics.losses`."""
        rows = np.array([self._row(other) for other in others])
        return rows.reshape(len(others), self._columns)

    def _row(self, other: Scores) -> list[float]:
        by_sentence = [self._of_words(words, other) for words in self._words]
        every = [loss for sentence in by_sentence for loss in sentence]
        losses = [_loss(sentence) for sentence in by_sentence]
        numbers, names = _mean(every, WordKind.NUMBER), _mean(every, WordKind.NAME)
        return [sum(losses) / max(len(losses), 1), numbers, names, *losses]

    def _of_words(self, words: Iterable[AnswerWord], other: Scores) -> list[Loss]:
        found: list[Loss] = []
        for word in words:
            fall = other.of(word.start, word.end) - self._everything.of(word.start, word.end)
            found.append((word.kind, 1.0 - exp(min(fall, 0.0))))
        return found


def _loss(words: Sequence[Loss]) -> float:
    numbers = [loss for kind, loss in words if kind is WordKind.NUMBER]
    covered = _mean(words, WordKind.CONTENT, WordKind.NAME)
    facts = _mean(words, WordKind.NUMBER, WordKind.NAME)
    return max(covered, facts, *numbers)


def _mean(words: Sequence[Loss], *kinds: WordKind) -> float:
    found = [loss for kind, loss in words if kind in kinds]
    return sum(found) / len(found) if found else 0.0
