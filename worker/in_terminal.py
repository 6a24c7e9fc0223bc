"""`python -m worker ask` and `explain`: the pipeline in a terminal, on the index that is there.

Importing this takes seconds, since it brings the search, the embedders and the model's client.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import typer
from rich.console import Console

from core import logs
from core.attribution import Method
from core.errors import GroundwireError, SettingsError
from core.models import Record
from core.policy import audit
from core.policy.acl import EVERYBODY
from core.policy.audit import Act
from core.settings import or_exit, settings
from core.storage import clock
from core.turns import turn_store
from worker import replay
from worker.attribution.attributor import Attributor
from worker.bootstrap import WorkerParts, parts
from worker.cli import terminal
from worker.question.rewrite import Past


def ask(
    questions: Sequence[str],
    who: str,
    *,
    explained: bool,
    as_json: bool,
) -> None:
    """Answer the questions of one conversation; `who` is an e-mail, empty for everybody."""
    with _parts() as (built, console):
        history: list[Past] = []
        reader = built.readers.of_email(who) if who else EVERYBODY
        if who:  # the operator sees what this person may read
            details = {"what": "asked_as"}
            audit.by_operator(
                built.database, Act.LOOKED_INTO, subject=reader.account, details=details
            )
        for question in questions:
            deadline = clock.now() + built.settings.answer_patience_s
            record = built.pipeline.answer(question, history, deadline=deadline, reader=reader)
            history.append(Past.of(question, record))
            if as_json:
                typer.echo(record.model_dump_json(indent=2))
            else:
                _print_record(console, record)
        if explained:
            _explain(built, console, "terminal", record, as_json=as_json)


def explain(
    turn: str,
    method: Method | None,
    *,
    as_json: bool,
) -> None:
    """Explain the answer of a saved turn."""
    with _parts() as (built, console):
        found = turn_store.load(built.database, turn)
        if found is None or found.record is None:
            raise SettingsError(
                f"no answered turn {turn}: take the id from the log, where it stands as turn=…"
            )
        audit.by_operator(
            built.database, Act.LOOKED_INTO, subject=turn, details={"what": "explanation"}
        )
        _explain(built, console, turn, found.record, method=method, as_json=as_json)


def _explain(
    built: WorkerParts,
    console: Console,
    turn: str,
    record: Record,
    *,
    method: Method | None = None,
    as_json: bool,
) -> None:
    options = built.attributor.options
    if method is not None:
        options = replace(options, method=method)
    attributor = Attributor(built.attributor.embedder, options)
    with terminal.progress("asking without parts of the evidence") as report:
        watch = replay.ExplanationWatch(report)
        result = replay.explain(built, turn, record, watch, attributor)
    if as_json:
        typer.echo(result.model_dump_json(indent=2))
    else:
        terminal.explanation(console, result)


class _parts:  # noqa: N801  (a context manager that reads like a function)
    """The parts of the pipeline and a console; expected errors exit with one line."""

    def __enter__(self) -> tuple[WorkerParts, Console]:
        with or_exit():
            logs.configure_quietly(settings())
            return parts(), Console()

    def __exit__(
        self,
        _kind: object,
        error: BaseException | None,
        _traceback: object,
    ) -> None:
        if isinstance(error, GroundwireError):
            typer.echo(f"groundwire: {error}", err=True)
            raise typer.Exit(2 if isinstance(error, SettingsError) else 1)


def _print_record(console: Console, record: Record) -> None:
    console.print(f"[bold]{record.completed.as_asked}[/bold]", highlight=False)
    if record.completed.is_changed:
        console.print(f"[dim]understood as: {record.completed.text}[/dim]", highlight=False)
    if record.completed.conditions:
        only = ", ".join(f"{each.field.value} {each.value}" for each in record.completed.conditions)
        console.print(f"only pages: {only}", style="dim", markup=False, highlight=False)
    console.print(record.answer.text, markup=False, highlight=False)
    for source in record.answer.sources:
        console.print(
            f"  [{source.number}] {source.title} › {source.heading}  {source.url}",
            markup=False,
            highlight=False,
        )
    for suggestion in record.answer.suggestions:
        console.print(f"  → {suggestion}", style="dim", markup=False, highlight=False)
    notes = [note.value for note in record.answer.notes]
    facts = ", ".join([record.answer.model or "quoted", *notes])
    line = f"({facts}; {record.seconds})\n"
    console.print(line, style="dim", markup=False, highlight=False)
