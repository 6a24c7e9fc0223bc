"""`python -m evaluation planted`: whether explanations are right, where the truth is known."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, groupby
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from core.settings import settings
from evaluation.explanations.planted.cases import CAUSES, NULLS, SCENARIOS
from evaluation.explanations.planted.deletion import areas
from evaluation.explanations.planted.suite import (
    Row,
    Run,
    Same,
    Saving,
    agree,
    delete,
    explain,
    in_processes,
    runs,
    save,
    saving,
)
from evaluation.harness.interval import Share
from evaluation.harness.stage import AsJson, console, fail, show_json
from worker.attribution.options import Options

ALL_AT_ONCE = 1000  # calls: so many that each round is one
WIDTH = 170  # of the tables where nobody watches
PART = 0.6  # of the runs, for what needs each case several times

T = TypeVar("T")


@dataclass(frozen=True)
class Found:
    """Everything that was measured."""

    scenarios: Mapping[str, Row]
    same_twice: Mapping[str, Same]
    areas: Mapping[str, Mapping[str, float]]  # under the deletion curve, by scenario and order
    rounds: Mapping[str, Saving]


def planted(
    count: Annotated[
        int, typer.Option("--runs", min=1, help="Explanations of each scenario with a cause.")
    ] = 100,
    nulls: Annotated[
        int, typer.Option("--null-runs", min=1, help="Explanations of each scenario without one.")
    ] = 400,
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Another number than EXPLAIN_REPEATS.")
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds/--no-rounds", help="All repeats of everything at once.")
    ] = True,
    scenario: Annotated[
        list[str] | None,
        typer.Option(help=f"Only this one; {', '.join(SCENARIOS)}. May be given several times."),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option(
            "--brief",
            help="Verdicts only: no stability, no deletion curve, no comparison of rounds.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Other cases.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    as_json: AsJson = False,
) -> None:
    """Explanations of answers whose causes are known, by a scripted model that varies its wording; no network."""
    if unknown := set(scenario or ()) - set(SCENARIOS):
        fail(f"no scenario {', '.join(sorted(unknown))}: choose from {', '.join(SCENARIOS)}")
    options = replace(Options.of(settings()), rounds=rounds, concurrency=ALL_AT_ONCE)
    options = options if repeats is None else replace(options, repeats=repeats)
    suite = Suite(options, seed, workers)
    names = list(scenario or SCENARIOS)
    found = suite.all(names, count, nulls, brief=brief)
    show_json(as_json_(found, options)) if as_json else show(found)


@dataclass(frozen=True)
class Suite:
    """The measures, each over all scenarios."""

    options: Options
    seed: int = 0
    workers: int = 1

    def all(self, names: Sequence[str], count: int, nulls: int, *, brief: bool) -> Found:
        causes = [name for name in names if name in CAUSES]
        scenarios = self.verdicts(names, count, nulls)
        part = math.ceil(PART * count)
        if brief or not causes:
            return Found(scenarios, {}, {}, {})
        return Found(
            scenarios,
            self.stability(causes, part),
            self.deletions(causes, part),
            self.savings(names, part),
        )

    def verdicts(self, names: Sequence[str], count: int, nulls: int) -> dict[str, Row]:
        todo = [
            run
            for name in names
            for run in runs([name], nulls if name in NULLS else count, self.options, self.seed)
        ]
        return {
            name: Row.of(marks) for name, marks in self._each(explain, todo, "verdicts").items()
        }

    def stability(self, names: Sequence[str], count: int) -> dict[str, Same]:
        todo = runs(names, count, self.options, self.seed)
        return {
            name: Same.of(same) for name, same in self._each(agree, todo, "the same twice").items()
        }

    def deletions(self, names: Sequence[str], count: int) -> dict[str, dict[str, float]]:
        todo = runs(names, count, self.options, self.seed)
        found = self._each(delete, todo, "deletion curve")
        return {
            name: areas(curves)
            for name, curves in [*found.items(), ("all", [*chain.from_iterable(found.values())])]
        }

    def savings(self, names: Sequence[str], count: int) -> dict[str, Saving]:
        todo = runs(names, count, self.options, self.seed)
        return {
            name: saving(pairs)
            for name, pairs in self._each(save, todo, "with and without rounds").items()
        }

    def _each(self, work: Callable[[Run], T], todo: Sequence[Run], what: str) -> dict[str, list[T]]:
        """Results by scenario."""
        done: Iterable[T] = in_processes(self.workers, work, todo)
        done = track(done, what, total=len(todo), console=console, transient=True)
        pairs = zip((run.scenario for run in todo), done, strict=True)
        return {
            name: [result for _, result in group]
            for name, group in groupby(pairs, key=lambda pair: pair[0])
        }


def as_json_(found: Found, options: Options) -> dict[str, Any]:
    chosen = {name: getattr(options, name) for name in ("repeats", "max_calls", "rounds")}
    return {
        "options": chosen,
        "scenarios": {name: _plain(row) for name, row in found.scenarios.items()},
        "the same twice": {name: _plain(row) for name, row in found.same_twice.items()},
        "area under the deletion curve": found.areas,
        "rounds": {name: _plain(row) for name, row in found.rounds.items()},
    }


def _plain(row: Row | Same | Saving) -> dict[str, Any]:
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    return {
        name: value.as_json() if isinstance(value, Share) else value
        for name, value in values.items()
    }


def show(found: Found) -> None:
    """Four tables; shares in per cent, with 95 % intervals."""
    out = Console(width=max(Console().width, WIDTH))
    _table(out, "Verdicts", {name: _written(row) for name, row in found.scenarios.items()})
    _table(
        out,
        "The same twice: what is named first, and all that is named",
        {name: _written(row) for name, row in found.same_twice.items()},
    )
    rows = {
        name: {order: f"{area:.3f}" for order, area in by_order.items()}
        for name, by_order in found.areas.items()
    }
    _table(out, "Area under the deletion curve, by the order of removal", rows)
    _table(
        out, "With and without rounds", {name: _written(row) for name, row in found.rounds.items()}
    )


def _written(row: Row | Same | Saving) -> dict[str, str]:
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    return {name.replace("_", " "): _figure(value) for name, value in values.items()}


def _figure(value: Share | float) -> str:
    if isinstance(value, Share | int):
        return str(value)
    return f"{value:.0f}" if value > 1000 else f"{value:.1f}"


def _table(out: Console, title: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    if not rows:
        return
    table = Table(
        "", *next(iter(rows.values())), title=title, title_justify="left", title_style="bold"
    )
    for name, row in rows.items():
        table.add_row(name, *row.values())
    out.print(table)
