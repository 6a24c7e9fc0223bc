"""The question in a long message, apart from what it tells: people greet, explain, ask and thank.

A search for all of its words finds what it tells of, and a page that answers the question covers
few of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.dialogue.reading import content_words, read

LONG = 25  # words; a shorter message is taken as it stands
# In a chat also before a small letter; not after a number or a single letter: "15. May", "z. B. ".
_ENDS = re.compile(r"(?<=[.!?…])(?<!\b\w\.)(?<!\d\.)\s+|\n+")


class AskedPart(NamedTuple):
    """The sentences that ask, and the others, each in their order, without what is only polite."""

    asked: str
    told: str = ""


def asked_part(message: str) -> AskedPart:
    """The whole message where it is short, or nothing in it says what is asked.

    >>> asked_part("May I take my dog to the office in Porto?").told
    ''
    """
    said = [each.strip() for each in _ENDS.split(message) if each.strip()]
    if len(message.split()) <= LONG or len(said) == 1:
        return AskedPart(message)
    kept = _asking(said)
    if kept and len(kept) < len(said) and not content_words(_joined(said, kept)):
        kept.add(_nearest(kept, len(said)))
    if not kept or len(kept) == len(said):
        return AskedPart(message)
    told = {place for place, each in enumerate(said) if place not in kept and read(each).rest}
    return AskedPart(_joined(said, kept), _joined(said, told))


def _asking(said: list[str]) -> set[int]:
    """Where a question mark stands; else the last whose words ask, since people explain first."""
    marked = {place for place, each in enumerate(said) if each.endswith("?")}
    return marked or set([place for place, each in enumerate(said) if read(each).asks][-1:])


def _nearest(kept: set[int], number: int) -> int:
    """The sentence before the first that is kept: people explain first. Else the one after."""
    before = min(kept) - 1
    return before if before >= 0 else min(set(range(number)) - kept)


def _joined(said: list[str], kept: set[int]) -> str:
    return " ".join(said[place] for place in sorted(kept))
