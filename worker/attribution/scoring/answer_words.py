"""The words of the saved answer whose probabilities count, and where they stand in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from worker.attribution.statistics.losses import Said
from worker.support.words import content

_CITATION = re.compile(r"\s*\[\d+\]")
_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*")
AHEAD = 200  # characters within which the next word of a sentence stands


class WordKind(Enum):
    """What a word is to a claim."""

    CONTENT = "content"
    NAME = "name"
    NUMBER = "number"  # or a date, or a code: anything with a digit


@dataclass(frozen=True)
class AnswerWord:
    """A word at its place in the text."""

    start: int
    end: int
    kind: WordKind


def scored_text(answer: str) -> str:
    """What the model is asked about: without citations, whose numbers change with the evidence."""
    return _CITATION.sub("", answer).strip()


def words_of(text: str, sentences: Sequence[Said]) -> list[list[AnswerWord]]:
    """A list for each sentence; words that carry no meaning are left out."""
    found: list[list[AnswerWord]] = []
    place = 0
    for said in sentences:
        own: list[AnswerWord] = []
        for word in _WORD.findall(said.text):
            start = text.find(word, place, place + AHEAD)
            if start >= 0:
                place = start + len(word)
                own += _counted(word, start, said)
        found.append(own)
    return found


def _counted(word: str, start: int, said: Said) -> Iterator[AnswerWord]:
    end = start + len(word)
    if any(map(str.isdigit, word)):
        yield AnswerWord(start, end, WordKind.NUMBER)
    elif word.lower() in said.names:
        yield AnswerWord(start, end, WordKind.NAME)
    elif any(True for _ in content(word)):
        yield AnswerWord(start, end, WordKind.CONTENT)
