"""Splits a long Markdown text into messages: between paragraphs, never in the middle of code.

Code that is longer than a message is closed at the end of one and opened again in the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.views.block_kit import size

_FENCE = re.compile(r"^\s{0,3}(?P<mark>`{3,}|~{3,})(?P<language>[^`]*)$")
_WORD = re.compile(r"`[^`\n]+`\S*\s*|\S+\s*|\s+")  # code within a line is one word
CHARACTERS = 1_000  # of a word that is longer than any message, at a time


@dataclass(frozen=True)
class MarkdownUnit:
    """What belongs together: a paragraph, or a whole code block with its fences."""

    text: str
    fence: str = ""  # the line that opens it, for code


def split(text: str, room: int, last: int) -> list[str]:
    """The text in pieces of at most `room`, the last one of at most `last`.

    Both are sizes as `bot.views.block_kit.size` measures them.
    """
    if size(text) <= last:
        return [text]
    *pieces, end = _packed(text, room)
    if size(end) > last:
        return pieces + _packed(end, last)
    return [*pieces, end]


def _packed(text: str, room: int) -> list[str]:
    """As few pieces as the order of the units allows."""
    pieces: list[str] = []
    piece = ""
    for unit in _units(text):
        for part in _parts(unit, room):
            if piece and size(piece + part) > room:
                pieces.append(piece.strip("\n"))
                piece = ""
            piece += part
    return [*pieces, piece.strip("\n")]


def _units(text: str) -> Iterator[MarkdownUnit]:
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        opens = _FENCE.match(line.rstrip("\n"))
        if fence:
            lines.append(line)
            if opens and _closes(line, fence):
                yield MarkdownUnit("".join(lines), fence)
                lines, fence = [], ""
            continue
        if opens:
            yield from _paragraph(lines)
            lines, fence = [line], line.rstrip("\n")
            continue
        lines.append(line)
        if not line.strip():
            yield from _paragraph(lines)
            lines = []
    if lines:
        yield MarkdownUnit("".join(lines), fence)


def _paragraph(lines: list[str]) -> Iterator[MarkdownUnit]:
    if lines:
        yield MarkdownUnit("".join(lines))


def _closes(line: str, fence: str) -> bool:
    """A fence is closed by one of the same mark, at least as long, with nothing behind it."""
    text, mark = line.strip(), _mark(fence)
    return text.startswith(mark) and not text.strip(mark[0])


def _mark(fence: str) -> str:
    found = _FENCE.match(fence)
    assert found
    return found["mark"]


def _parts(unit: MarkdownUnit, room: int) -> Iterator[str]:
    """The unit, split when it is longer than a message."""
    if size(unit.text) <= room:
        yield unit.text
    elif unit.fence:
        yield from _code(unit, room)
    else:
        yield from _filled(unit.text, room)


def _code(unit: MarkdownUnit, room: int) -> Iterator[str]:
    """Each text a code block of its own, closed and opened again."""
    opening, closing = f"{unit.fence}\n", f"{_mark(unit.fence)}\n"
    inside = unit.text.removeprefix(opening)
    last = inside.rstrip("\n").rpartition("\n")[2]
    if _closes(last, unit.fence):
        inside = inside.rstrip("\n").removesuffix(last)
    for part in _filled(inside, room - size(opening + closing)):
        content = part.strip("\n")
        yield f"{opening}{content}\n{closing}"


def _filled(text: str, room: int) -> Iterator[str]:
    """Split between lines; a line that is too long between words; such a word anywhere."""
    piece = ""
    for line in text.splitlines(keepends=True):
        for part in [line] if size(line) <= room else _words(line, room):
            if piece and size(piece + part) > room:
                yield piece
                piece = ""
            piece += part
    if piece:
        yield piece


def _words(line: str, room: int) -> Iterator[str]:
    step = min(CHARACTERS, room // 8)  # JSON may write a character as six
    for word in _WORD.findall(line):
        if size(word) <= room:
            yield word
            continue
        for start in range(0, len(word), step):
            yield word[start : start + step]
