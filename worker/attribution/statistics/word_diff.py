"""The difference of two answers, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from core.attribution import Change, Edit

_WORD = re.compile(r"\s*\S+|\s+$")  # a word with the space before it


def difference(before: str, after: str) -> tuple[Change, ...]:
    """What became of the words of `before` on the way to `after`.

    >>> changes = difference("It costs 40 EUR.", "It costs more.")
    >>> [(change.edit.value, change.text) for change in changes]
    [('same', 'It costs'), ('removed', ' 40 EUR.'), ('added', ' more.')]
    """
    return tuple(_changes(_WORD.findall(before), _WORD.findall(after)))


def _changes(before: list[str], after: list[str]) -> Iterator[Change]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        ours, theirs = "".join(before[i:j]), "".join(after[k:m])
        if kind == "equal":
            yield Change(edit=Edit.SAME, text=ours)
            continue
        if ours:
            yield Change(edit=Edit.REMOVED, text=ours)
        if theirs:
            yield Change(edit=Edit.ADDED, text=theirs)
