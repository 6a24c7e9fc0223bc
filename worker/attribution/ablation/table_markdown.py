"""Tables as `indexer.evidence.verbalize` writes them: Markdown with pipes, and text with bars."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models import Evidence, Kind
from worker.prompting.context_window import CUT
from worker.text import sanitize
from worker.text.table_merge import grid

_BAR = re.compile(r"(?<!\\)\|")


def cells(line: str) -> list[str]:
    r"""The cells of a line of Markdown without the bars at its ends, as they are marked there.

    >>> cells(r"K4 | a \| b |")
    ['K4', 'a \\| b', '']
    """
    return [cell.strip() for cell in _BAR.split(line)]


def marked(value: str) -> str:
    """A value as it stands in a cell of Markdown."""
    return value.replace("|", "\\|").replace("\n", "<br>").strip()


def markdown(values: Sequence[str]) -> str:
    """Values as a line without the bars at its ends."""
    return " | ".join(map(marked, values))


def bars(line: str) -> str:
    """A line of Markdown as a line of text, without the empty cells at its end."""
    values: list[str] = []
    for cell in cells(line):
        unescaped = cell.replace("\\|", "|")
        values.append(unescaped.replace("<br>", "\n"))
    while values and not values[-1]:
        values.pop()
    return " | ".join(values)


def table_text(raw: str) -> str:
    """A table's Markdown as its text."""
    found = grid(
        Evidence(
            id="",
            page_id="",
            kind=Kind.TABLE,
            text="",
            raw=raw,
        )
    )
    lines = [found.above, bars(found.header)]
    lines += [bars(row) for row in found.rows]
    return "\n".join(line for line in lines if line)


def segments(part: Evidence) -> dict[int, tuple[int, int]]:
    """Where in the text of a part its rows stand, by their place in its Markdown.

    Without those behind the place where a prompt has cut it.
    """
    found = grid(part)
    header = _find(found.header, part.text, 0)
    end = header[1] if header else 0
    places: dict[int, tuple[int, int]] = {}
    for at, line in enumerate(found.rows):
        place = _find(line, part.text, end) or _beginning(line, part.text, end)
        if place is not None:
            places[at] = place
            end = place[1]
    return places


def _find(
    line: str,
    text: str,
    start: int,
) -> tuple[int, int] | None:
    """Where a whole line stands in the text from `start` on; a cut text was sanitized before."""
    said = bars(line)
    if not said:
        return None
    written, safe = re.escape(said), re.escape(sanitize.data(said))
    end = rf"(?: \| ?)*(?=\n|\Z| {re.escape(CUT)}\Z)"
    pattern = re.compile(rf"(?:\A|(?<=\n))(?:{written}|{safe}){end}")
    match = pattern.search(text, start)
    return match.span() if match else None


def _beginning(
    line: str,
    text: str,
    start: int,
) -> tuple[int, int] | None:
    """Where a line stands that was cut in its middle."""
    end = len(text) - len(f" {CUT}")
    rest = text[start:end].removeprefix("\n")
    if not rest or not text.endswith(CUT):
        return None
    begins_line = sanitize.data(bars(line)).startswith(rest)
    return (end - len(rest), end) if begins_line else None
