"""What every measure stands on: the product running on some pages, and figures shown to people or to machines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from core.settings import Settings, settings
from sandbox.programs.processes import DidNotStart
from sandbox.programs.stack import Stack

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]

console = Console(stderr=True)  # progress; figures go to the standard output


@contextmanager
def running(pages: Path, folder: Path, more: Mapping[str, str] | None = None) -> Iterator[Settings]:
    """The settings under which these pages are indexed, by the product, through the stand-in for Confluence; `more` adds to them.

    Raises:
        DidNotStart: a program did not, or the sync failed.
    """
    more = more or {}
    with Stack(
        folder.absolute(),
        pages=pages.absolute(),
        settings={"EMBEDDER": settings().embedder, **more},
    ) as stack:
        with console.status("indexing (half a minute the first time, seconds afterwards)"):
            stack.start_sandbox()
            stack.start("redis", "chroma")
            sync = stack.sync()
            if sync.process.wait() != 0:
                raise DidNotStart(f"the sync failed: {sync.last_words()}")
        yield stack.settings.model_copy(
            update={"reranker": more.get("RERANKER", settings().reranker)}
        )


def show(rows: Mapping[str, Mapping[str, float]], *, as_json: bool) -> None:
    """Named rows of figures under the same names."""
    if as_json:
        return show_json(rows)
    names = list(next(iter(rows.values())))
    table = Table("", *names)
    for name, figures in rows.items():
        table.add_row(name, *(_figure(key, figures[key]) for key in names))
    return Console().print(table)


def show_down(columns: Mapping[str, Mapping[str, float | None]], *, as_json: bool) -> None:
    """The same for many figures: a line for each, a column for each name; None is what was not measured."""
    if as_json:
        return show_json(columns)
    table = Table("", *columns)
    for name in next(iter(columns.values())):
        table.add_row(name, *(_figure(name, figures[name]) for figures in columns.values()))
    return Console().print(table)


def _figure(name: str, figure: float | None) -> str:
    if figure is None:
        return "not measured"
    if math.isnan(figure):
        return "-"
    return f"{figure:g}" if name == "n" or name.startswith("ms") else f"{figure:.3f}"


def show_json(found: object) -> None:
    """As JSON; a figure that there is none of is null."""
    typer.echo(json.dumps(_without_nan(found), indent=2))


def _without_nan(found: object) -> object:
    if isinstance(found, Mapping):
        return {name: _without_nan(value) for name, value in found.items()}
    return None if isinstance(found, float) and math.isnan(found) else found


def fail(sentence: str) -> NoReturn:
    typer.echo(f"groundwire: {sentence}", err=True)
    raise typer.Exit(1)
