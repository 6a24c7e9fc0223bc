"""`python -m evaluation planted`: whether explanations are right, with planted causes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from core.attribution import ExplainBy
from core.settings import settings
from evaluation.explanations.planted.ablations import Without
from evaluation.explanations.planted.cases import CAUSES, SCENARIOS
from evaluation.explanations.planted.deletion import areas
from evaluation.explanations.planted.grid import figures, of_options, places
from evaluation.explanations.planted.grid_rules import NULL_RULES, RULES
from evaluation.explanations.planted.suite import (
    Row,
    Run,
    Same,
    agree,
    delete,
    explain,
    in_processes,
    runs,
)
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.progress import track
from worker.attribution.options import Options

ALL_AT_ONCE = 1000  # connections: more than any stage has calls
WIDTH = 170  # of the tables where nobody watches
SHORT, SHORT_NULLS = 4, 4  # explanations of each case and mode
WHOLE, WHOLE_NULLS = 64, 200

T = TypeVar("T")
R = TypeVar("R")
Tables = dict[str, dict[str, dict[str, Any]]]


def planted(
    whole: Annotated[
        bool, typer.Option("--whole", help=f"{WHOLE} of each case and mode, {WHOLE_NULLS} nulls.")
    ] = False,
    count: Annotated[
        int | None, typer.Option("--runs", min=1, help="So many of each case and mode.")
    ] = None,
    nulls: Annotated[
        int | None, typer.Option("--null-runs", min=1, help="So many of each null and mode.")
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option(help=f"Only this one; {', '.join([*RULES, *NULL_RULES])}. Several times."),
    ] = None,
    clusters: Annotated[
        list[int] | None, typer.Option(help="Pages of evidence; several times. 10.")
    ] = None,
    stories: Annotated[
        bool,
        typer.Option("--stories", help="Answers in quite other words each time, instead."),
    ] = False,
    logprobs: Annotated[bool, typer.Option("--logprobs", help="By scores; not stories.")] = False,
    without: Annotated[
        Without | None, typer.Option(help="Our method without one of its stages; not stories.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Other cases.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    as_json: AsJson = False,
) -> None:
    """Explanations of answers whose causes are known, by a scripted model; no network."""
    known = SCENARIOS if stories else RULES | NULL_RULES
    if unknown := set(case or ()) - set(known):
        fail(f"no case {', '.join(sorted(unknown))}: choose from {', '.join(known)}")
    measure = Measure(_options(by_scores=logprobs and not stories), seed, workers, without)
    names, many = list(case or known), count or (WHOLE if whole else SHORT)
    if stories:
        tables = measure.stories(names, many)
    else:
        many_nulls = nulls or (WHOLE_NULLS if whole else SHORT_NULLS)
        tables = measure.grid(names, many, many_nulls, clusters or [10])
    show_json(as_json_(tables, measure.options)) if as_json else show(tables)


def _options(*, by_scores: bool) -> Options:
    by = ExplainBy.LOGPROBS if by_scores else ExplainBy.SAMPLE
    return replace(Options.of(settings()), concurrency=ALL_AT_ONCE, by=by)


@dataclass(frozen=True)
class Measure:
    """The measures, each over all cases."""

    options: Options
    seed: int = 0
    workers: int = 1
    without: Without | None = None

    def grid(self, names: Sequence[str], count: int, nulls: int, clusters: Sequence[int]) -> Tables:
        """Whether each sentence has the right pages in the right role."""
        tables: Tables = {}
        for title, chosen, many in (("Causes", RULES, count), ("Nulls", NULL_RULES, nulls)):
            cases = [name for name in names if name in chosen]
            todo = list(places(cases, many, clusters=clusters, seed=self.seed))
            if todo:
                work = of_options(self.options, self.without)
                done = in_processes(self.workers, work, todo)
                tables[title] = figures(list(track(done, title, total=len(todo))))
        return tables

    def stories(self, names: Sequence[str], count: int) -> Tables:
        """Verdicts, whether two explanations agree, and the deletion curve."""
        causes = [name for name in names if name in CAUSES]
        verdicts = self._each(explain, names, count, "verdicts")
        same = self._each(agree, causes, count, "the same twice")
        curves = self._each(delete, causes, count, "deletion curve")
        areas_ = {name: dict(areas(found)) for name, found in curves.items()}
        if curves:
            areas_["all"] = dict(areas(list(chain.from_iterable(curves.values()))))
        return {
            "Verdicts": {name: _fields(Row.of(marks)) for name, marks in verdicts.items()},
            "The same twice": {name: _fields(Same.of(found)) for name, found in same.items()},
            "Area under the deletion curve": areas_,
        }

    def _each(
        self, work: Callable[[Run], R], names: Sequence[str], count: int, what: str
    ) -> dict[str, list[R]]:
        """Results by scenario."""
        todo = runs(names, count, self.options, self.seed)
        found: dict[str, list[R]] = {}
        done = track(in_processes(self.workers, work, todo), what, total=len(todo))
        for run, result in zip(todo, done, strict=True):
            found.setdefault(run.scenario, []).append(result)
        return found


def as_json_(tables: Tables, options: Options) -> dict[str, Any]:
    found: dict[str, Any] = {"options": {"max_calls": options.budget.calls, "by": options.by}}
    for title, rows in tables.items():
        found[title] = {name: _plain(row) for name, row in rows.items()}
    return found


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: v.as_json() if isinstance(v, Share) else v for name, v in row.items()}


def show(tables: Tables) -> None:
    """A table each; shares in per cent, with 95 % intervals."""
    out = Console(width=max(Console().width, WIDTH))
    for title, rows in tables.items():
        if not rows:
            continue
        names = next(iter(rows.values()))
        table = Table("", *names, title=title, title_justify="left", title_style="bold")
        for name, row in rows.items():
            table.add_row(name, *map(_figure, row.values()))
        out.print(table)


def _fields(row: Row | Same) -> dict[str, Any]:
    return {field.name: getattr(row, field.name) for field in fields(row)}


def _figure(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value > 1000 else f"{value:.2f}"
