"""Evidence blocks of a prompt: each hit under its title with its number, a table's rows as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.models import Evidence, Hit, Kind, Page
from core.pages import PageKey
from core.structure import TableSlice
from worker.prompting import templates
from worker.prompting.table_lines import TableLine, markdown, table_lines
from worker.text import sanitize
from worker.text.tokens import estimate

END = 3  # tokens at most of the blanks and the empty line that end a block
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Frozen(Hit):
    """A hit exactly as a prompt has shown it, whatever other hits there are or are not.

    Its block and the texts before and after are those that were shown, and its text ends where it
    was cut.
    """

    in_table: bool = False  # written as lines of its table, even where no other row of that is left
    uncut: Evidence | None = None  # the whole piece, where it was cut


@dataclass(frozen=True)
class Shown:
    """A hit as far as the prompt shows it."""

    hit: Hit
    text: str  # the piece as data, or its beginning
    is_cut: bool = False
    table: TableSlice | None = None  # as far as it is shown, where it is cut
    block: tuple[Evidence, ...] = ()  # what is shown of hit.block
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Marked:
    """A text behind its number or numbers, `[3]`."""

    mark: str
    text: str


@dataclass(frozen=True)
class PromptBlock:
    """What the prompt writes under one title: a piece, or the rows of a table; all of it data."""

    head: str
    lines: tuple[Marked, ...]
    before: str = ""
    after: str = ""
    is_table: bool = False
    above: str = ""  # what announces the table, and its header
    rows: int = 0  # how many rows there are
    rows_of: int = 0  # of how many; 0 when that is unknown
    is_part: bool = False  # rows that were found, without those that were not


def blocks(shown: Sequence[Shown]) -> Iterator[PromptBlock]:
    """What is shown, numbered from 1, tables together."""
    for group in groups(shown):
        best = group[0][1].hit
        in_table = isinstance(best, Frozen) and best.in_table
        yield _table(group) if len(group) > 1 or in_table else _single(*group[0])


def groups(shown: Sequence[Shown]) -> list[list[tuple[int, Shown]]]:
    """The numbered hits, those of one table together in the place of the best; a cut one alone."""
    found: dict[tuple[PageKey, int], list[tuple[int, Shown]]] = {}
    for number, each in enumerate(shown, start=1):
        table = each.hit.evidence.table_number
        group = -number if table is None or _stands_alone(each) else table
        found.setdefault((each.hit.page.key, group), []).append((number, each))
    return list(found.values())


def _stands_alone(each: Shown) -> bool:
    return not each.hit.in_table if isinstance(each.hit, Frozen) else each.is_cut


def size(of: Sequence[Shown]) -> int:
    """The tokens of what is shown, as the prompt writes it."""
    return sum(map(_tokens, blocks(of)))


@lru_cache(maxsize=512)
def _tokens(block: PromptBlock) -> int:
    return END + estimate(templates.render("evidence", block=block))


def _single(number: int, each: Shown) -> PromptBlock:
    line = Marked(f"[{number}]", each.text)
    return PromptBlock(
        _head(each.hit),
        (line,),
        before=each.before,
        after=each.after,
    )


def _table(group: Sequence[tuple[int, Shown]]) -> PromptBlock:
    """Rows and parts of one table under its header."""
    pieces: list[tuple[int, Evidence]] = []
    rows: set[int | None] = set()
    rows_of = 0
    only_rows = True
    for number, each in group:
        piece = each.hit.evidence
        pieces.append((number, piece))
        rows_of = max(rows_of, each.hit.table_rows)
        if piece.kind is Kind.ROW:
            rows.add(piece.row)
        else:
            only_rows = False
    return PromptBlock(
        _head(group[0][1].hit),
        tuple(map(_marked, table_lines(pieces))),
        is_table=True,
        above=_above(piece for _, piece in pieces),
        rows=len(rows),
        rows_of=rows_of,
        is_part=not rows_of and only_rows,
    )


def _above(pieces: Iterable[Evidence]) -> str:
    """What announces the table, and its header."""
    announced = header = ""
    for piece in pieces:
        if piece.table is not None:
            announced = announced or piece.table.above
            header = header or markdown(piece.table.header).strip("| ")
    lines = [_safe(announced), sanitize.line(header)]
    return "\n".join(filter(None, lines))


def _marked(line: TableLine) -> Marked:
    marks = "".join(f"[{number}]" for number in line.numbers)
    return Marked(marks, _safe(line.text))


@lru_cache(maxsize=4096)
def _safe(text: str) -> str:
    return sanitize.data(text)


def data(piece: Evidence) -> str:
    return sanitize.data(piece.text, is_code=piece.kind is Kind.CODE)


def _head(hit: Hit) -> str:
    """`2026-03-01, draft · Title › Heading`: ours first, so no title can pose as day or status."""
    title = " › ".join([hit.page.title, *hit.evidence.heading_path])
    return f"{_facts(hit.page)} · {sanitize.line(title)}"


def _facts(page: Page) -> str:
    day = _DAY.match(page.updated_at)
    status = [] if page.status == "current" else [sanitize.line(page.status)]
    return ", ".join([day.group() if day else "undated", *status])
