"""The text reader: how likely a text answers a question, and with which words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.encoder.bundled import BEGIN, END, encoder, trained_from
from core.encoder.network import ReadTokens
from core.encoder.weights import Matrix
from core.encoder.word_pieces import SplitText, WordPieces
from core.one_thread import one_thread
from worker.reading.heads import AnswerNetwork

TRAINED = Path(__file__).with_name("trained.npz")
# Tokens that are read: of what is asked, and of a text. What was trained had no more.
LONGEST_ASKED, LONGEST_TEXT = 40, 170
LONGEST_QUESTION = 128  # of a question that is longer by itself: its end, people explain first
AT_ONCE = 8  # texts: more of them only take more memory
LONGEST_SPAN = 30  # tokens of an answer
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
# Thai, Lao, Japanese and Chinese have no blanks between words.
_WITHOUT_BLANKS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


class AnswerReading(NamedTuple):
    """What the reader makes of a text."""

    answers: float  # log-odds that it does
    start: int  # where its likeliest answer begins, in characters of the text …
    end: int  # … and where it ends


class TextReader:
    """Reads texts for a question. Threads may share it."""

    def __init__(self, network: AnswerNetwork, pieces: WordPieces) -> None:
        self._network = network
        self._pieces = pieces

    def read(
        self, question: str, texts: Sequence[str], context: Sequence[str] = ()
    ) -> list[AnswerReading]:
        """One reading for each text, which is read as far as LONGEST_TEXT.

        `context` is what the conversation adds to the question.
        """
        begin = [BEGIN, *self._asked(question, context), END, END]
        parts = (texts[start : start + AT_ONCE] for start in range(0, len(texts), AT_ONCE))
        return [reading for part in parts for reading in self._read(begin, part)]

    def _asked(self, question: str, context: Sequence[str]) -> list[int]:
        asked = self._pieces.encode(question).ids[-LONGEST_QUESTION:]
        room = max(LONGEST_ASKED - len(asked), 0)
        return [*asked, *self._pieces.encode(" ".join(context), room).ids]

    def _read(self, begin: Sequence[int], texts: Sequence[str]) -> Iterator[AnswerReading]:
        read = [self._pieces.encode(text, LONGEST_TEXT) for text in texts]
        asked = [ReadTokens([*begin, *each.ids, END], len(begin)) for each in read]
        with one_thread():
            answers, spans = self._network.read(asked)
        for one, span, each in zip(answers, spans, read, strict=True):
            yield _reading(float(one), span, len(begin), each)


@cache
def bundled() -> TextReader:
    """The reader of the default install, loaded once in a process.

    Raises:
        SettingsError: the package with the encoder is not there.
    """
    file, pieces = encoder()
    return TextReader(AnswerNetwork(file, trained_from(TRAINED)), pieces)


def probability(log_odds: float) -> float:
    """From 0 to 1."""
    return 1 / (1 + math.exp(-log_odds))


def says(text: str, answer: str) -> bool:
    """Whether these words stand in a text, one behind the other, whatever stands between them.

    >>> says("A hotel in **Porto** costs 110 EUR.", "Porto costs"), says("Porto", "Port")
    (True, False)
    >>> says("It costs 1.10 EUR.", "10 EUR"), says("有給休暇は年に二十日です", "二十日")
    (False, True)
    """
    wanted, said = _plain(answer), _plain(text)
    if _WITHOUT_BLANKS.search(wanted):
        return wanted in said
    return bool(wanted) and f" {wanted} " in f" {said} "


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _reading(answers: float, spans: Matrix, text_from: int, read: SplitText) -> AnswerReading:
    """With the likeliest span of the text."""
    starts, ends = spans[text_from:-1, 0], spans[text_from:-1, 1]
    if not len(starts):
        return AnswerReading(answers, 0, 0)
    together = starts[:, None] + ends[None, :]
    places = np.arange(len(starts))
    length = places[None, :] - places[:, None]
    together[(length < 0) | (length >= LONGEST_SPAN)] = -np.inf
    first, last = np.unravel_index(int(together.argmax()), together.shape)
    return AnswerReading(answers, read.offsets[first][0], read.offsets[last][1])
