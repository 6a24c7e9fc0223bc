"""Typing errors for spelling correction: one or two words with a letter wrong."""

from __future__ import annotations

import re

from evaluation.corpus.chance import Chance

LONG_ENOUGH = 6  # letters; shorter words are seldom mistyped and soon another word
NEIGHBOURS = {
    "a": "s",
    "e": "r",
    "i": "u",
    "o": "p",
    "n": "m",
    "t": "z",
    "s": "d",
    "r": "t",
    "l": "k",
    "g": "h",
    "u": "i",
    "d": "f",
}


def mistyped(question: str, chance: Chance) -> str:
    """The question with errors in at most two of its longer words.

    Identifiers keep their digits: people copy them.
    """
    words = question.split(" ")
    candidates = []
    for position, word in enumerate(words):
        if re.fullmatch(rf"[^\W\d_]{{{LONG_ENOUGH},}}\W?", word):
            candidates.append(position)
    count = min(chance.one(1, 1, 2), len(candidates))
    for position in chance.some(candidates, count):
        words[position] = _slip(words[position], chance)
    return " ".join(words)


def _slip(word: str, chance: Chance) -> str:
    at = chance.number(2, LONG_ENOUGH - 2)
    kind = chance.one("swap", "drop", "double", "neighbour")
    if kind == "swap":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == "drop":
        return word[:at] + word[at + 1 :]
    if kind == "double":
        return word[:at] + word[at] + word[at:]
    return word[:at] + NEIGHBOURS.get(word[at], word[at]) + word[at + 1 :]
