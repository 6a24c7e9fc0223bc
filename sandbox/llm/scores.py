"""How likely the scripted model finds a text: what it would say itself, it finds likely.

A sentence is compared with the nearest one that the model says to the same prompt. A word is likely
that stands there too, after the same word as long as that one stands there; others are not, and
noise comes on top. So the scores of a planted model follow its plan.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random

from sandbox.llm.planted import Plan, answer
from sandbox.llm.scripted import COMMON, SENTENCE_END, tokens

LIKELY, UNLIKELY = -0.1, -4.0  # logarithms of probabilities
NOISE = 0.3  # standard deviation of a token's
Token = tuple[str, float]
_WORD = re.compile(r"\w+")


def scores(text: str, said: str, noise: Random) -> list[Token]:
    """The tokens of a text and the logarithms of their probabilities; `said`: by the model."""
    own = [_words(sentence) for sentence in SENTENCE_END.split(said)]
    found: list[Token] = []
    for sentence in re.split(r"(?<=[.!?])(?=\s)", text):
        wanted = set(_words(sentence))
        nearest = max(own, key=lambda words: len(wanted.intersection(words)), default=[])
        before = ""
        for token in tokens(sentence):
            is_likely = _follows(_words(token), before, nearest)
            logprob = (LIKELY if is_likely else UNLIKELY) + noise.gauss(0, NOISE)
            found.append((token, min(logprob, 0.0)))
            before = (_words(token) or [before])[-1]
    return found


def planted_scores(plan: Plan, evidence: list[str], text: str) -> list[Token]:
    """By a plan: the same for the same evidence."""
    chance = Random("\n".join([*evidence, text]))
    return scores(text, answer(replace(plan, unsteady=0.0), evidence, chance), chance)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _follows(words: list[str], before: str, said: list[str]) -> bool:
    if not all(word in said or word in COMMON for word in words):
        return False
    after = [then for first, then in pairwise(said) if first == before]
    return not after or not words or words[0] in after or words[0] in COMMON
