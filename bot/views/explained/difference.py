"""What another answer says instead, as runs of rich text: gone is struck out, new is bold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from bot.views.block_kit import Block, plain
from bot.views.mrkdwn import truncate

ARROW = " → "
LEAST_ALIKE = 0.4  # of two sentences: below, a difference of words is harder to read than both
SAME_WORDS = 30  # of a run that did not change; the middle of a longer one is left out
_WORD = re.compile(r"\s*\S+|\s+$")
_CODE_FENCE = re.compile(r"^\s*```.*$\n?", re.MULTILINE)
_UNDER_HEADER = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t:-]*$\n?", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|[ \t]*(.*?)[ \t]*\|[ \t]*$", re.MULTILINE)
_LINE_MARKS = re.compile(r"^[ \t]*(?:>[ \t]?|#{1,6}[ \t]+)+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_CITATION = re.compile(r"\s*\[\d+\]")
_STRONG = re.compile(r"(?<!\\)(?:\*\*|__|~~|`)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")  # what CommonMark lets one escape


def bare(markdown: str) -> str:
    """A text as it is read: without marks, without addresses of links, without citations.

    >>> bare("Up to **110 EUR** a `night`, see [the policy](https://x.example) [1].")
    'Up to 110 EUR a night, see the policy.'
    """
    text = markdown
    for marks in (_CODE_FENCE, _UNDER_HEADER, _LINE_MARKS):
        text = marks.sub("", text)
    text = _ROW.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    for marks in (_CITATION, _STRONG):
        text = marks.sub("", text)
    return _ESCAPED.sub(r"\1", text).strip()


def is_alike(before: str, after: str, least: float = LEAST_ALIKE) -> bool:
    """Whether so much of their words is the same; by default, that their difference can be read."""
    return _matcher(_words(before), _words(after)).ratio() >= least


def difference(before: str, after: str, limit: int) -> list[Block]:
    """From one text to another, in about `limit` characters."""
    runs: list[Block] = []
    for run in _runs(_words(before), _words(after)):
        text = run["text"]
        if len(text) > limit:
            runs.append({**run, "text": truncate(text, max(limit, 1))})
            break
        limit -= len(text)
        runs.append(run)
    return runs


def _words(text: str) -> list[str]:
    """Each with the space before it."""
    return _WORD.findall(text)


def _matcher(before: list[str], after: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=False)


def _runs(before: list[str], after: list[str]) -> Iterator[Block]:
    for kind, i, j, k, m in _matcher(before, after).get_opcodes():
        gone, new = "".join(before[i:j]), "".join(after[k:m])
        if kind == "equal":
            yield plain(_shortened(before[i:j]))
            continue
        if gone:
            yield from _styled(gone, strike=True)
        if gone and new:
            yield plain(ARROW)
            new = new.lstrip()
        if new:
            yield from _styled(new, bold=True)


def _styled(text: str, **style: bool) -> Iterator[Block]:
    """Without style on the space in front, which would be struck out too."""
    words = text.lstrip()
    if space := text[: len(text) - len(words)]:
        yield plain(space)
    if words:
        yield plain(words, **style)


def _shortened(words: list[str]) -> str:
    if len(words) <= SAME_WORDS:
        return "".join(words)
    half = SAME_WORDS // 2
    return f"{''.join(words[:half])} …{''.join(words[-half:])}"
