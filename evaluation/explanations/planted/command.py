"""`python -m evaluation planted`: whether explanations are right, with planted causes."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
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
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.progress import track
from worker.attribution.options import Options

ALL_AT_ONCE = 1000  # connections: more than any round has calls
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
    """Explanations of answers whose causes are known, by a scripted model; no network."""
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
        todo = []
        for name in names:
            todo += runs([name], nulls if name in NULLS else count, self.options, self.seed)
        marks = self._each(explain, todo, "verdicts")
        return {name: Row.of(those) for name, those in marks.items()}

    def stability(self, names: Sequence[str], count: int) -> dict[str, Same]:
        todo = runs(names, count, self.options, self.seed)
        found = self._each(agree, todo, "the same twice")
        return {name: Same.of(same) for name, same in found.items()}

    def deletions(self, names: Sequence[str], count: int) -> dict[str, dict[str, float]]:
        todo = runs(names, count, self.options, self.seed)
        found = self._each(delete, todo, "deletion curve")
        rows = {name: areas(curves) for name, curves in found.items()}
        return rows | {"all": areas(list(chain.from_iterable(found.values())))}

    def savings(self, names: Sequence[str], count: int) -> dict[str, Saving]:
        todo = runs(names, count, self.options, self.seed)
        found = self._each(save, todo, "with and without rounds")
        return {name: saving(pairs) for name, pairs in found.items()}

    def _each(self, work: Callable[[Run], T], todo: Sequence[Run], what: str) -> dict[str, list[T]]:
        """Results by scenario."""
        found: dict[str, list[T]] = {}
        done = track(in_processes(self.workers, work, todo), what, total=len(todo))
        for run, result in zip(todo, done, strict=True):
            found.setdefault(run.scenario, []).append(result)
        return found


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
    return {name: v.as_json() if isinstance(v, Share) else v for name, v in values.items()}


def show(found: Found) -> None:
    """Four tables; shares in per cent, with 95 % intervals."""
    out = Console(width=max(Console().width, WIDTH))
    verdicts = {name: _written(row) for name, row in found.scenarios.items()}
    _table(out, "Verdicts", verdicts)
    same = {name: _written(row) for name, row in found.same_twice.items()}
    _table(out, "The same twice: what is named first, and all that is named", same)
    areas_ = {}
    for name, by_order in found.areas.items():
        areas_[name] = {order: f"{area:.3f}" for order, area in by_order.items()}
    _table(out, "Area under the deletion curve, by the order of removal", areas_)
    rounds = {name: _written(row) for name, row in found.rounds.items()}
    _table(out, "With and without rounds", rounds)


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
    names = next(iter(rows.values()))
    table = Table("", *names, title=title, title_justify="left", title_style="bold")
    for name, row in rows.items():
        table.add_row(name, *row.values())
    out.print(table)
