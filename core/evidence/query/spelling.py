"""Spelling correction: words of titles that are spelled nearly like a word of the question.

Somebody mistyped one of the two, or wrote it in another language.

>>> nearly("instalation", ["installation", "insurance"])
['installation']
>>> nearly("Konfiguration", ["configuration", "figures"])
['configuration']
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

SHORTEST = 5  # letters: of shorter words too many are alike
ALIKE = 0.8  # 1 - distance / length: one letter in five, two in ten


def nearly(
    word: str,
    title_words: Sequence[str],
    most: int = 2,
) -> list[str]:
    """The words spelled most like this one, itself left out."""
    if len(word) < SHORTEST:
        return []
    found = process.extract(
        word.lower(),
        title_words,
        scorer=DamerauLevenshtein.normalized_similarity,
        score_cutoff=ALIKE,
        limit=most + 1,
    )
    return [other for other, _, _ in found if other != word.lower()][:most]
