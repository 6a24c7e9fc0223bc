"""Cuts long code between its lines, best where a function or a paragraph of it ends.

Nothing is left out: the parts with newlines between them are the code, character for character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.structure import CodeText

# About a screen or two, and the prompt's share of one piece; of the 416 blocks of 215 real pages, 3
# are longer.
PART_CHARACTERS = 4_000
_CLOSING = tuple(")]}")


def code_parts(code: CodeText) -> Iterator[CodeText]:
    """The code in parts of at most PART_CHARACTERS, each with its language and announcement."""
    if len(code.text) <= PART_CHARACTERS:
        yield code
        return
    pieces = list(_lines(code.text))
    start, length = 0, 0
    for end, (line, _) in enumerate(pieces):
        while end > start and length + len(line) > PART_CHARACTERS:
            border = _border(pieces, start, end)
            yield _part(code, pieces[start:border])
            start = border
            length = sum(len(each) + 1 for each, _ in pieces[start:end])
        length += len(line) + 1
    yield _part(code, pieces[start:])


CodeLine = tuple[str, bool]  # and whether it only goes on with the one before it


def _lines(text: str) -> Iterator[CodeLine]:
    """The lines; one that is longer than a part in several."""
    for line in text.split("\n"):
        for start in range(0, len(line) or 1, PART_CHARACTERS):
            yield line[start : start + PART_CHARACTERS], start > 0


def _part(code: CodeText, lines: Sequence[CodeLine]) -> CodeText:
    text = "".join(
        line if number == 0 or goes_on else f"\n{line}"
        for number, (line, goes_on) in enumerate(lines)
    )
    return code.model_copy(update={"text": text, "goes_on": lines[0][1]})


def _border(lines: Sequence[CodeLine], start: int, end: int) -> int:
    """Where the next part begins: at the best place of the second half, of equals the last."""
    places = range((start + end + 1) // 2, end + 1)
    return max(places, key=lambda place: (_fitness(lines, place), place))


def _fitness(lines: Sequence[CodeLine], place: int) -> int:
    """How good a place it is: behind an empty line, before one that stands at the margin."""
    (above, _), (line, goes_on) = lines[place - 1], lines[place]
    if goes_on or not line.strip():
        return 0
    is_begun = not line[0].isspace() and not line.startswith(_CLOSING)
    return 1 + 2 * (not above.strip()) + is_begun
