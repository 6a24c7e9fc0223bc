"""Figures shown as tables to people, or as JSON to machines; errors in one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table

Row = Mapping[str, Any]
WIDTH = 170  # characters of the widest table: narrower ones would lose figures
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


def show(rows: Mapping[str, Mapping[str, float]], *, as_json: bool) -> None:
    """One row for each name, one column for each figure."""
    if as_json:
        return show_json(rows)
    names = list(next(iter(rows.values())))
    table = Table("", *names)
    for name, figures in rows.items():
        table.add_row(name, *(_figure(key, figures[key]) for key in names))
    return Console().print(table)


def show_down(columns: Mapping[str, Mapping[str, float | None]], *, as_json: bool) -> None:
    """For many figures: one column for each name, one row for each figure; None is not measured."""
    if as_json:
        return show_json(columns)
    table = Table("", *columns)
    for name in next(iter(columns.values())):
        table.add_row(name, *(_figure(name, figures[name]) for figures in columns.values()))
    return Console().print(table)


def show_rows(tables: Mapping[str, Sequence[Row]]) -> None:
    """Each with its title; what a row lacks stays empty."""
    console = Console(width=max(Console().width, WIDTH))
    for title, rows in tables.items():
        if rows:
            console.print(_table(title, rows))


def _table(title: str, rows: Sequence[Row]) -> Table:
    names = dict.fromkeys(name for row in rows for name in row)
    table = Table(*names, title=title)
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in names))
    return table


def _cell(value: Any) -> str:
    """A share in points of a hundred, an interval as two of them."""
    if isinstance(value, float):
        return f"{100 * value:.1f}"
    if isinstance(value, tuple):
        return " to ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {of:g}" for name, of in value.items())
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def _figure(name: str, figure: float | None) -> str:
    if figure is None:
        return "not measured"
    if math.isnan(figure):
        return "-"
    return f"{figure:g}" if name == "n" or name.startswith("ms") else f"{figure:.3f}"


def show_json(found: object) -> None:
    """As JSON, with null for a figure that is not a number."""
    typer.echo(json.dumps(_without_nan(found), indent=2))


def _without_nan(found: object) -> object:
    if isinstance(found, Mapping):
        return {name: _without_nan(value) for name, value in found.items()}
    return None if isinstance(found, float) and math.isnan(found) else found


def fail(sentence: str) -> NoReturn:
    typer.echo(f"groundwire: {sentence}", err=True)
    raise typer.Exit(1)
