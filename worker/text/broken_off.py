"""A reply that was broken off, up to the last place where a reader misses nothing of a sentence."""

from __future__ import annotations

import re

# A full stop behind a digit may be a decimal point or the number of an item.
_END = re.compile(r"(?<=[.!?…])(?<!\d\.)[\"”“»)\]*_]*(?:\s*\[\d+\])*(?=\s|\Z)|(?=\n)")
_FENCE = re.compile(r"^\s*```", re.MULTILINE)
_LAST_WORD = re.compile(r"\S+$")
_EMPTY_ITEM = re.compile(r"\n\s*(?:[-*]|\d+\.)\s*$")


def usable(text: str) -> str:
    """The text up to its last sentence, line or word; an open code block is closed.

    >>> usable("Ask finance [1]. A hotel costs 11")
    'Ask finance [1].'
    >>> usable("A hotel costs 11")
    'A hotel costs …'
    """
    if len(_FENCE.findall(text)) % 2:
        return _with_closed_code(text)
    ends = [found.end() for found in _END.finditer(text)]
    if ends:
        return _EMPTY_ITEM.sub("", text[: ends[-1]]).rstrip()
    begun = _LAST_WORD.sub("", text).rstrip()
    return f"{begun} …" if begun else ""


def _with_closed_code(text: str) -> str:
    """Half a command does harm, so a code block keeps only whole lines."""
    before, _, _ = text.rpartition("\n")
    if not before:
        return ""
    opened = len(_FENCE.findall(before)) % 2
    kept = before.rstrip()
    if not opened:
        return kept
    last = kept.rpartition("\n")[2]
    if last.lstrip().startswith("```"):  # nothing stands in it
        return kept.rpartition("\n")[0].rstrip()
    return f"{kept}\n```"
