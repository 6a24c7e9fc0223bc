"""How hits stand in the prompt: each under its title with its number, rows and parts of one table as one table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.models import Evidence, Hit, Kind, Page
from worker.prompting import templates
from worker.text import sanitize
from worker.text.table_merge import Grid, MergedLine, grid, merged
from worker.text.tokens import estimate

END = 3  # tokens at most of the blanks and the empty line that end a block
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Frozen(Hit):
    """A hit exactly as a prompt has shown it: nothing is added to it and nothing cut from it, whatever else is there or is not.

    Its block and the texts before and after are those that were shown, and its text ends where it was cut.
    """

    in_table: bool = False  # written as lines of its table, even where no other row of that is left


@dataclass(frozen=True)
class Shown:
    """A hit as far as the prompt shows it."""

    hit: Hit
    text: str  # the piece as data, or its beginning
    is_cut: bool = False
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
        yield _table(group) if len(group) > 1 or _in_table(group[0][1]) else _single(*group[0])


def groups(shown: Sequence[Shown]) -> list[list[tuple[int, Shown]]]:
    """The numbered hits, those of one table together in the place of the best; one that is cut stands alone."""
    found: dict[tuple[str, int], list[tuple[int, Shown]]] = {}
    for number, each in enumerate(shown, start=1):
        table = each.hit.evidence.table
        found.setdefault(
            (each.hit.page.id, -number if table is None or _stands_alone(each) else table), []
        ).append((number, each))
    return list(found.values())


def _in_table(each: Shown) -> bool:
    return isinstance(each.hit, Frozen) and each.hit.in_table


def _stands_alone(each: Shown) -> bool:
    return not each.hit.in_table if isinstance(each.hit, Frozen) else each.is_cut


def size(of: Sequence[Shown]) -> int:
    """The tokens of what is shown, as the prompt writes it."""
    return sum(map(_tokens, blocks(of)))


@lru_cache(maxsize=512)
def _tokens(block: PromptBlock) -> int:
    return END + estimate(templates.render("evidence", block=block))


def _single(number: int, each: Shown) -> PromptBlock:
    return PromptBlock(
        _head(each.hit), (Marked(f"[{number}]", each.text),), before=each.before, after=each.after
    )


def _table(group: Sequence[tuple[int, Shown]]) -> PromptBlock:
    """Rows and parts of one table under its header."""
    pieces = [(number, each.hit.evidence) for number, each in group]
    grids = [grid(piece) for _, piece in pieces]
    lines = tuple(_marked(line) for line in merged(pieces))
    rows_of = max(each.hit.table_rows for _, each in group)
    rows = {piece.row for _, piece in pieces if piece.kind is Kind.ROW}
    return PromptBlock(
        _head(group[0][1].hit),
        lines,
        is_table=True,
        above="\n".join(
            filter(None, (_safe(next((g.above for g in grids if g.above), "")), _header(grids)))
        ),
        rows=len(rows),
        rows_of=rows_of,
        is_part=not rows_of
        and len(rows) > 0
        and all(piece.kind is Kind.ROW for _, piece in pieces),
    )


def _header(grids: Sequence[Grid]) -> str:
    header = next((each.header for each in grids if each.header.strip("| ")), "")
    return sanitize.line(header)


def _marked(line: MergedLine) -> Marked:
    return Marked("".join(f"[{number}]" for number in line.numbers), _safe(line.text))


@lru_cache(maxsize=4096)
def _safe(text: str) -> str:
    return sanitize.data(text)


def data(piece: Evidence) -> str:
    return sanitize.data(piece.text, is_code=piece.kind is Kind.CODE)


def _head(hit: Hit) -> str:
    """`2026-03-01, draft · Title › Heading`: ours first, so that no title can pose as another day or status."""
    title = " › ".join([hit.page.title, *hit.evidence.heading_path])
    return f"{_facts(hit.page)} · {sanitize.line(title)}"


def _facts(page: Page) -> str:
    day = _DAY.match(page.updated_at)
    status = [] if page.status == "current" else [sanitize.line(page.status)]
    return ", ".join([day.group() if day else "undated", *status])
