"""Ablation in context: takes the words of removed evidence out of the texts around what stays.

The text before or after is that of a piece that stands there on the page, on one line and shortened
to some 200 characters; behind a table it is the table's end, and so may say its last rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.models import Evidence, Kind
from worker.attribution.ablation.table_markdown import bars, table_text
from worker.attribution.ablation.table_rows import line_of

MORE = "…"  # where a text was shortened


class RemovedWords:
    """What the removed evidence says, word for word, on whatever page it stands once more."""

    def __init__(
        self,
        taken: Sequence[Evidence],
        uncut: Sequence[str] = (),
    ) -> None:
        """`uncut` are the whole texts of pieces that the prompt has cut."""
        self._ids = {piece.id for piece in taken}
        self._texts = {_flat(text) for text in uncut}
        lines: set[str] = set()
        for piece in taken:
            self._texts.update(_texts(piece))
            lines.update(_row_lines(piece))
        self._lines = sorted(lines, key=len, reverse=True)

    def hold(self, piece: Evidence) -> bool:
        """Whether this is one of the removed pieces, or says the very same."""
        return piece.id in self._ids or _flat(piece.text) in self._texts

    def out_of(self, text: str) -> str:
        """A text before or after, without what the removed evidence says."""
        if any(_is_from(text, said) for said in self._texts):
            return ""
        for line in self._lines:
            text = _without(text, line)
        return text


def _texts(piece: Evidence) -> Iterator[str]:
    """A piece as it stands in the text of a neighbour; of a table also what a prompt cut off."""
    yield _flat(piece.text)
    if piece.kind is Kind.TABLE:
        yield _flat(table_text(piece.raw))


def _row_lines(piece: Evidence) -> Iterable[str]:
    """A row as the text of its table writes it, unless it could be part of a sentence by chance."""
    line = _flat(bars(line_of(piece))) if piece.kind is Kind.ROW else ""
    return [line] if len(line.split()) > 2 else []


def _flat(text: str) -> str:
    return " ".join(text.split())


def _is_from(text: str, said: str) -> bool:
    """Whether the text is all of what was said, or its end or beginning."""
    own = text.strip(MORE)
    if not own:
        return False
    is_end = text.startswith(MORE) and said.endswith(own)
    is_beginning = text.endswith(MORE) and said.startswith(own)
    return text == said or is_end or is_beginning


def _without(text: str, line: str) -> str:
    """The text without this row, also where it is shortened in the middle of it."""
    whole = re.compile(rf"(?<!\S){re.escape(line)}(?!\S)")
    rest = _flat(whole.sub(" ", text))
    if rest.startswith(MORE):
        end = _shared(line, rest[1:], forwards=False)
        if end:
            rest = f"{MORE} {rest[1 + len(end) :].lstrip()}"
    if rest.endswith(MORE):
        start = _shared(line, rest[:-1], forwards=True)
        if start:
            rest = f"{rest[: -1 - len(start)].rstrip()} {MORE}"
    return rest if rest.strip(f"{MORE} ") else ""


def _shared(
    line: str,
    text: str,
    *,
    forwards: bool,
) -> str:
    """The longest beginning (or end) of a row's line that the text ends (or begins) with."""
    words = line.split(" ")
    for count in range(len(words) - 1, 0, -1):
        part = " ".join(words[:count] if forwards else words[-count:])
        is_edge = text.endswith(f" {part}") if forwards else text.startswith(f"{part} ")
        if text == part or is_edge:
            return part
    return ""
