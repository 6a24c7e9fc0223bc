"""The scores of a text: how likely a model was to say each token of it, by their places in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

FLOOR = -50.0  # less than that is as good as never, and some endpoints say minus infinity
SLACK = 4  # characters of a text that may belong to tokens whose own text is no whole character
_PART = "\ufffd"  # a token that is a part of a character is written so


@dataclass(frozen=True)
class TokenScore:
    """A token of a text: its place there, and the natural logarithm of its probability."""

    start: int
    end: int
    logprob: float


@dataclass(frozen=True)
class Scores:
    """The tokens of a text in their order."""

    tokens: tuple[TokenScore, ...]

    def of(self, start: int, end: int) -> float:
        """The logarithm of the probability of what stands between these places."""
        return sum(each.logprob for each in self.tokens if each.start < end and start < each.end)

    def as_text(self) -> str:
        """To be kept with the calls of an explanation."""
        return json.dumps([[each.start, each.end, round(each.logprob, 4)] for each in self.tokens])

    @classmethod
    def from_text(cls, written: str) -> Scores:
        return cls(tuple(TokenScore(*each) for each in json.loads(written)))


def placed(text: str, tokens: Sequence[tuple[str, float]]) -> Scores | None:
    """The scores of a text that these tokens, as their own texts, end with; None: they do not.

    >>> placed("An ox.", [("user", -1.0), (" An", -2.0), (" ox", -3.0), (".", -4.0)]).of(3, 5)
    -3.0
    """
    found: list[TokenScore] = []
    end = len(text)
    for said, logprob in reversed(tokens):
        if end == 0:
            break
        start = _start(text[:end], said.replace(_PART, ""))
        if start is None:
            return None
        found.append(TokenScore(start, end, max(logprob, FLOOR)))
        end = start
    return None if text[:end].strip() else Scores(tuple(reversed(found)))


def _start(before: str, said: str) -> int | None:
    """Where a token begins that ends near the end of this text; the first may lack its space."""
    for each in (said, said.lstrip()):
        place = before.rfind(each, max(0, len(before) - len(each) - SLACK))
        if place >= 0:
            return place
    return None
