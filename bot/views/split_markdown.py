"""Cuts a long Markdown text into texts that fit into a message each: between paragraphs, never in the middle of code.

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
    """The text in pieces of at most `room`, the last one of at most `last`, both as `bot.views.block_kit.size` measures."""
    if size(text) <= last:
        return [text]
    pieces = _packed(text, room)
    return [*pieces[:-1], *(_packed(pieces[-1], last) if size(pieces[-1]) > last else pieces[-1:])]


def _packed(text: str, room: int) -> list[str]:
    """As few pieces as the order of the units allows."""
    pieces: list[str] = []
    piece = ""
    for part in (part for unit in _units(text) for part in _small(unit, room)):
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
    return line.strip().startswith(_mark(fence)) and not line.strip().strip(_mark(fence)[0])


def _mark(fence: str) -> str:
    found = _FENCE.match(fence)
    assert found
    return found["mark"]


def _small(unit: MarkdownUnit, room: int) -> Iterator[str]:
    """The unit, in several texts when it is longer than a message."""
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
        yield f"{opening}{part.strip(chr(10))}\n{closing}"


def _filled(text: str, room: int) -> Iterator[str]:
    """Cut between lines; where one is too long, between words; where one is too long, anywhere."""
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
    for word in _WORD.findall(line):
        step = min(CHARACTERS, room // 8)  # JSON may write a character as six
        yield from (
            [word]
            if size(word) <= room
            else [word[at : at + step] for at in range(0, len(word), step)]
        )
