"""Splits evidence into spans that can be quoted: sentences, list items, code blocks, table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import takewhile

from core.evidence.lexical.analyzer import words
from core.models import Evidence, Hit, Kind

Cells = tuple[tuple[str, str], ...]
Lines = tuple[str, ...]

# Not after a number and a dot: "15. November" is a date. Not after a colon: it announces more.
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\d\.)\s+(?=[\"„“(\[]?[A-ZÄÖÜ0-9])|(?<!:)\n+")
_LINES = {Kind.LIST, Kind.TASK, Kind.TABLE, Kind.PLACE}
_WHOLE = {Kind.CODE, Kind.CHILD_PAGES}  # half a command is worse than none
ITEM = re.compile(r"[-•*] |\d+[.)] |\[[ x]\] ")
_BEFORE_ITEM = re.compile(r" (?=[-•*] |\d+[.)] )")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|( --- \|)+")  # between the header and the rows of a Markdown table


@dataclass(frozen=True)
class Span:
    """Something that can be quoted, with the evidence it stands in."""

    number: int  # the evidence's place in the prompt
    hit: Hit
    text: str
    cells: Cells = ()  # (column name, value) where it is a row of a table
    place: int = 0  # of a row: its number in the table
    # Of an item: the line that announces its list, and the items above it; of a sentence: the last.
    above: Lines = ()
    # Of an item: the items under it; of a sentence: the next one, or the list that follows.
    below: Lines = ()

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
        """Words of title and headings: they say what the span is about without standing in it."""
        path = self.hit.evidence.heading_path
        return frozenset(words(" ".join([self.hit.page.title, *path])))


def spans_of(
    hits: Sequence[Hit],
    *,
    whole_lists: bool = False,
) -> Iterator[Span]:
    """All that can be quoted from these hits, in their order; lists by their items, or whole."""
    for number, hit in enumerate(hits, start=1):
        piece = hit.evidence
        rows = table_rows(piece.raw) if piece.kind is Kind.TABLE else []
        is_whole_list = whole_lists and piece.kind is Kind.LIST
        if piece.cells:
            yield Span(number, hit, piece.text, piece.cells, place=piece.row or 0)
        elif piece.kind in _WHOLE or is_whole_list:
            yield Span(number, hit, piece.raw or piece.text)
        elif rows:
            for place, row in enumerate(rows, 1):
                yield Span(number, hit, _as_text(row), row, place=place)
        elif piece.kind in _LINES:
            yield from _items(number, hit)
        else:
            yield from _sentences(number, hit)


def _items(number: int, hit: Hit) -> Iterator[Span]:
    """The lines of a list, each with those it stands under and those that stand under it."""
    lines = list(filter(None, map(str.rstrip, hit.evidence.text.splitlines())))
    open_lines: list[str] = []
    for place, line in enumerate(lines):
        depth = _depth(line)
        while open_lines and _depth(open_lines[-1]) >= depth:
            open_lines.pop()
        above = tuple(open_lines)
        below = tuple(takewhile(partial(_is_deeper, depth), lines[place + 1 :]))
        yield Span(number, hit, line.strip(), above=above, below=below)
        open_lines.append(line)


def _is_deeper(depth: int, line: str) -> bool:
    return _depth(line) > depth


def _depth(line: str) -> int:
    """How far a line is indented; one that announces a list stands above all its items."""
    if line.startswith(" ") or ITEM.match(line):
        return len(line) - len(line.lstrip())
    return -1


def _sentences(number: int, hit: Hit) -> Iterator[Span]:
    parts = map(str.strip, SENTENCE_END.split(hit.evidence.text))
    sentences = list(filter(None, parts))
    above: Lines = ()
    for place, sentence in enumerate(sentences, 1):
        following = tuple(sentences[place : place + 1])
        below = following or _list_after(hit.evidence)
        yield Span(number, hit, sentence, above=above, below=below)
        above = (sentence,)


def _as_text(row: Cells) -> str:
    return "; ".join(f"{name} is {value}" for name, value in row)


def _list_after(piece: Evidence) -> Lines:
    """The list that follows the piece, which has it in `after`: the next piece may be unrelated.

    >>> announced = {"text": "You need:", "after": "- a key - a badge"}
    >>> _list_after(Evidence(id="", page_id="", kind=Kind.PASSAGE, **announced))
    ('- a key', '- a badge')
    """
    if not ITEM.match(piece.after):
        return ()
    return tuple(_BEFORE_ITEM.split(piece.after))


def table_rows(raw: str) -> list[Cells]:
    r"""The rows of a Markdown table with the names of their columns.

    A row of one cell is a heading between the others, and left out.

    >>> table_rows("Limits:\n\n| City | Limit |\n| --- | --- |\n| Porto | 110 EUR |")
    [(('City', 'Porto'), ('Limit', '110 EUR'))]
    """
    lines = raw.splitlines()
    rules = filter(_RULE.fullmatch, lines)
    rule = next(rules, None)
    if rule is None or lines.index(rule) == 0:
        return []
    header = lines.index(rule) - 1
    names = _values(lines[header])
    for place, name in enumerate(names):
        names[place] = name or f"Column {place + 1}"
    rows: list[Cells] = []
    for line in lines[header + 2 :]:
        values = _values(line)
        filled = list(filter(None, values[: len(names)]))
        if len(filled) > 1:
            rows.append(tuple(zip(names, values, strict=False)))
    return rows


def _values(line: str) -> list[str]:
    """The cells of one line of a Markdown table."""
    values: list[str] = []
    for cell in _BETWEEN_CELLS.split(line)[1:-1]:
        unescaped = cell.strip().replace("\\|", "|")
        values.append(unescaped.replace("<br>", "; "))
    return values
