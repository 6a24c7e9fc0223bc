"""Verdicts of a model on claims, as its reply lists them."""

from __future__ import annotations

import re

_LINE = re.compile(
    r"^[^\w\n]*(\d{1,3})\b[^\n]*?\b(yes|no)\b[^\w\n]*$", re.IGNORECASE | re.MULTILINE
)


def verdicts(reply: str, count: int) -> tuple[bool, ...] | None:
    """Whether the pages say each of `count` claims; None where the reply does not tell of each.

    >>> verdicts("1: 110 EUR a night | yes\\n2: no bus is named | no", 2)
    (True, False)
    >>> verdicts("Yes, all of them.", 2)
    """
    told = [(int(number), word.lower() == "yes") for number, word in _LINE.findall(reply)]
    if sorted(number for number, _ in told) != list(range(1, count + 1)):
        return None
    return tuple(is_said for _, is_said in sorted(told))
