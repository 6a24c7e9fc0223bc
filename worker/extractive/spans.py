"""Evidence in the smallest parts that can be quoted: sentences, list items, code blocks, and the rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from core.evidence.lexical.analyzer import words
from core.models import Evidence, Hit, Kind

Cells = tuple[tuple[str, str], ...]

# Not after a number and a dot: "15. November" is a date. Not after a colon: what it announces belongs to it.
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\d\.)\s+(?=[\"„“(\[]?[A-ZÄÖÜ0-9])|(?<!:)\n+")
_LINES = {Kind.LIST, Kind.TASK, Kind.TABLE, Kind.PLACE}
_WHOLE = {Kind.CODE, Kind.CHILD_PAGES}  # half a command is worse than none
ITEM = re.compile(r"[-•*] |\d+[.)] |\[[ x]\] ")
_BEFORE_ITEM = re.compile(r" (?=[-•*] |\d+[.)] )")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|( --- \|)+")  # between the header and the rows of a Markdown table


@dataclass(frozen=True)
class Span:
    """Something that can be quoted, with the evidence it stands in; `number` is that evidence's place in the prompt."""

    number: int
    hit: Hit
    text: str
    cells: Cells = ()  # (column name, value) where it is a row of a table
    place: int = 0  # of a row: its number in the table
    above: tuple[
        str, ...
    ] = ()  # of an item: the line that announces its list, and the items it belongs to; of a sentence: the one before
    below: tuple[
        str, ...
    ] = ()  # of an item: the items under it; of a sentence: the next one, or the list that follows

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @property
    def is_list(self) -> bool:
        """A list, or an item of one."""
        return self.hit.evidence.kind is Kind.LIST

    @property
    def announces(self) -> bool:
        """It ends where what it announces begins."""
        return self.text.rstrip().endswith(":")

    @cached_property
    def own_terms(self) -> frozenset[str]:
        return frozenset(words(self.text))

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """Words of title and headings: they say what the unit is about without standing in it."""
        return frozenset(words(" ".join([self.hit.page.title, *self.hit.evidence.heading_path])))


def units(hits: Sequence[Hit], *, whole_lists: bool = False) -> Iterator[Span]:
    """All that can be quoted from these hits, in their order; lists by their items, or whole."""
    for number, hit in enumerate(hits, start=1):
        piece = hit.evidence
        if piece.cells:
            yield Span(number, hit, piece.text, piece.cells, place=piece.row or 0)
        elif piece.kind in _WHOLE or (whole_lists and piece.kind is Kind.LIST):
            yield Span(number, hit, piece.raw or piece.text)
        elif rows := table_rows(piece.raw) if piece.kind is Kind.TABLE else []:
            yield from (
                Span(number, hit, _as_text(row), row, place=place)
                for place, row in enumerate(rows, 1)
            )
        elif piece.kind in _LINES:
            yield from _items(
                number, hit, [line.rstrip() for line in piece.text.splitlines() if line.strip()]
            )
        else:
            yield from _sentences(number, hit)


def _items(number: int, hit: Hit, lines: Sequence[str]) -> Iterator[Span]:
    """The lines of a list, each with those it stands under and those that stand under it."""
    open_lines: list[str] = []
    for place, line in enumerate(lines):
        open_lines = [above for above in open_lines if _depth(above) < _depth(line)]
        yield Span(
            number,
            hit,
            line.strip(),
            above=tuple(open_lines),
            below=_under(line, lines[place + 1 :]),
        )
        open_lines.append(line)


def _under(line: str, others: Sequence[str]) -> tuple[str, ...]:
    return tuple(takewhile(lambda other: _depth(other) > _depth(line), others))


def _depth(line: str) -> int:
    """How far a line is indented; one that announces a list stands above all its items."""
    return len(line) - len(line.lstrip()) if line.startswith(" ") or ITEM.match(line) else -1


def _sentences(number: int, hit: Hit) -> Iterator[Span]:
    found = [part.strip() for part in SENTENCE_END.split(hit.evidence.text) if part.strip()]
    ahead = [(), *((text,) for text in found)]
    behind = [*((text,) for text in found[1:]), _list_after(hit.evidence)]
    yield from (
        Span(number, hit, text, above=above, below=below)
        for text, above, below in zip(found, ahead, behind, strict=False)
    )


def _as_text(row: Cells) -> str:
    return "; ".join(f"{name} is {value}" for name, value in row)


def _list_after(piece: Evidence) -> tuple[str, ...]:
    """The list that follows the piece, as far as the piece has it; another passage may be about something else.

    >>> _list_after(Evidence(id="", page_id="", kind=Kind.PASSAGE, text="You need:", after="- a key - a badge"))
    ('- a key', '- a badge')
    """
    return tuple(_BEFORE_ITEM.split(piece.after)) if ITEM.match(piece.after) else ()


def table_rows(raw: str) -> list[Cells]:
    r"""The rows of a Markdown table with the names of their columns; a row of one cell is a heading between the others, and left out.

    >>> table_rows("Limits:\n\n| City | Limit |\n| --- | --- |\n| Porto | 110 EUR |")
    [(('City', 'Porto'), ('Limit', '110 EUR'))]
    """
    lines = raw.splitlines()
    rule = next((place for place, line in enumerate(lines) if _RULE.fullmatch(line)), 0)
    if not rule:
        return []
    names = [name or f"Column {number}" for number, name in enumerate(_values(lines[rule - 1]), 1)]
    rows = [tuple(zip(names, _values(line), strict=False)) for line in lines[rule + 1 :]]
    return [row for row in rows if sum(bool(value) for _, value in row) > 1]


def _values(line: str) -> list[str]:
    return [
        value.strip().replace("\\|", "|").replace("<br>", "; ")
        for value in _BETWEEN_CELLS.split(line)[1:-1]
    ]
