"""ClaimVerdicts of a model on claims, as its reply lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A word behind a bar, or nothing but a word: what is said of a claim may have a yes or no in it.
_LINE = re.compile(
    r"^[^\w\n]*(\d{1,3})\b(?:[^\n]*\|)?[^\w\n]*(yes|no)\b[^\w\n]*$", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True)
class ClaimVerdicts:
    """Whether the pages say each claim, and whether these answer the question."""

    said: tuple[bool, ...]
    answers: bool


def verdicts(reply: str, count: int) -> ClaimVerdicts | None:
    """The verdicts on `count` claims; None where the reply does not tell of each, once.

    >>> verdicts("1: 110 EUR a night | yes\\n2: no bus is named | no\\n0: the price | yes", 2)
    ClaimVerdicts(said=(True, False), answers=True)
    >>> verdicts("Yes, all of them.", 2)
    """
    told = sorted((int(number), word.lower() == "yes") for number, word in _LINE.findall(reply))
    if [number for number, _ in told] != list(range(count + 1)):
        return None
    answers, *said = (is_yes for _, is_yes in told)
    return ClaimVerdicts(tuple(said), answers)
