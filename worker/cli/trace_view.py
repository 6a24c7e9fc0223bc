"""The trace of a turn in a terminal: a line for each step, its facts under it, kept short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from core.turns.trace.step import Facts, TraceStep

LONGEST = 240  # characters of one fact; --json has all of it
WHOLE = {"prompt"}  # facts that are asked for, and never shortened
INDENT = (0, 0, 0, 4)
# What of a list is shown, where that is not all of it.
COLUMNS = {
    "evidence": (
        "rank",
        "where",
        "kind",
        "lexical",
        "in_page",
        "dense",
        "fused",
        "copies",
        "sources",
    ),
    "sources": ("number", "where", "confidence", "since", "also"),
    "effects": ("without", "sources", "effect", "share", "role"),
    "reports": ("sources", "user", "at", "text"),
}
HIDDEN = {"settings"}  # of a step; --json has them
COUNTED = {"copies"}  # lists of which the number is shown
ONE_LINE = {"where", "without"}  # columns that take what room the others leave, and are cut


def show(console: Console, summary: str, steps: Iterable[TraceStep]) -> None:
    """The sentence about the turn, then its steps."""
    console.print(Text(summary, style="bold"))
    for number, step in enumerate(steps, 1):
        console.print(_header(number, step))
        _print_facts(console, "in", step.inputs)
        _print_facts(console, "out", step.outputs)


def _header(number: int, step: TraceStep) -> Text:
    seconds = "" if step.seconds is None else f"{step.seconds:.2f} s"
    header = Text(f"{number:>2}  {step.name:<11}", style="bold cyan")
    header.append(f"{step.module:<40}", style="not bold default")
    header.append(seconds, style="not bold green")
    header.rstrip()
    return header


def _print_facts(console: Console, label: str, facts: Facts) -> None:
    told = {name: value for name, value in facts.items() if _is_told(name, value)}
    tables = {name: value for name, value in told.items() if _is_table(value)}
    texts = [_fact(name, value) for name, value in told.items() if name not in tables]
    if texts:
        line = Text(f"{label:<4}", style="dim").append(" · ".join(texts), style="not dim")
        console.print(Padding(line, INDENT))
    for name, rows in tables.items():
        console.print(Padding(_table(rows, COLUMNS.get(name, tuple(rows[0]))), INDENT))


def _is_told(name: str, value: Any) -> bool:
    """Nothing, no and none at all say little; a zero does."""
    says_something = value is not False and (value == 0 or bool(value))
    return says_something and name not in HIDDEN


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and isinstance(value[0], dict)


def _fact(name: str, value: Any) -> str:
    label = name.replace("_", " ")
    if value is True:
        return label
    if name in WHOLE:
        return f"{label}:\n{_printable(value)}"
    return f"{label}: {_short(_cell(value))}"


def _table(rows: list[Facts], columns: tuple[str, ...]) -> Table:
    """Without the columns that are empty in every row."""
    expand = not ONE_LINE.isdisjoint(columns)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", expand=expand)
    cells = {name: [_of_column(name, row[name]) for row in rows] for name in columns}
    filled = {name: column for name, column in cells.items() if any(column)}
    for name in filled:
        _add_column(table, name, is_number=_is_number(rows[0][name]))
    for row in zip(*filled.values(), strict=True):
        table.add_row(*row)
    return table


def _add_column(table: Table, name: str, *, is_number: bool) -> None:
    cut = name in ONE_LINE
    table.add_column(
        name.replace("_", " "),
        justify="right" if is_number else "left",
        no_wrap=cut,
        overflow="ellipsis" if cut else "fold",
        ratio=1 if cut else None,
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_column(name: str, value: Any) -> Text:
    if name in COUNTED:
        value = str(len(value) or "")
    return Text(_short(_cell(value)))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_cell(each)}" for name, each in value.items())
    if isinstance(value, list):
        return "; ".join(map(_cell, value))
    return str(value)


def _short(text: str) -> str:
    line = " ".join(_printable(text).split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _printable(text: str) -> str:
    """Without what would command the terminal: pages are written by others."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
