"""`groundwire golden`: proposes golden questions, and asks them again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from core import logs
from core.errors import SettingsError
from core.outages.ending import or_one_sentence
from core.settings import settings
from groundwire.golden import last_time, proposing, questions, watching
from groundwire.golden.asking import GoldenAnswer, ask
from groundwire.golden.last_time import BrokenAnswer, LastTime, SinceLastTime
from worker.bootstrap import WorkerParts, parts

T = TypeVar("T")

app = typer.Typer(
    help="Questions of your own, asked again whenever something has changed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

File = Annotated[Path, typer.Argument(help="The questions, in YAML.")]


@app.command()
def propose(
    file: File,
    count: Annotated[int, typer.Option(min=1, help="How many at most.")] = 30,
    seed: Annotated[int, typer.Option(help="Another seed, other pages.")] = 0,
) -> None:
    """Write a file of questions to begin with: liked answers first, then pages. Look through it."""
    with or_one_sentence():
        if file.exists():
            typer.echo(f"groundwire: {file} is there: name another file", err=True)
            raise typer.Exit(2)
        found = list(_shown(proposing.propose(_parts(), count, seed), "questions", count))
        if not found:
            raise SettingsError("nothing open to everybody can be asked about: sync first")
        questions.write(file, found)
    typer.echo(f"{file}: {len(found)} questions")


@app.command("ask")
def ask_again(
    file: File,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Ask them all, and say what was right the last time and is not now.

    The exit code is 1 when something broke or could not be tried, 2 when the file cannot be used.
    """
    with or_one_sentence():
        is_well = _asked_once(file, _parts(), as_json=as_json)
    raise typer.Exit(0 if is_well else 1)


@app.command()
def watch(
    file: File,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Ask them now, and again after every sync that has changed something, until Ctrl-C.

    What was begun anew with other settings or another version asks at once, too.
    """
    with or_one_sentence():
        built = _parts()
        for _revision in watching.changes(built.database):
            _asked_once(file, built, as_json=as_json)
            sys.stdout.flush()


def _asked_once(file: Path, built: WorkerParts, *, as_json: bool) -> bool:
    """Ask them all and say what became of them; whether none broke and all were tried."""
    golden, before = questions.read(file), last_time.load(file)
    outcomes = list(_shown(ask(built, golden), "asked", len(golden)))
    comparison = SinceLastTime(built.database, built.settings, golden)
    broken = comparison.broken(before, outcomes)
    last_time.save(file, comparison.next(before, outcomes))
    said = _as_json(outcomes, broken) if as_json else _said(before, outcomes, broken)
    for line in said:
        typer.echo(line)
    return not broken and all(each.is_tried for each in outcomes)


def _parts() -> WorkerParts:
    logs.configure_quietly(settings())
    return parts()


def _shown(items: Iterator[T], what: str, total: int) -> Iterator[T]:
    """On standard error, so that --json stays alone; nothing where nobody looks."""
    console = Console(stderr=True)
    hidden = not console.is_terminal
    yield from track(items, what, total=total, transient=True, console=console, disable=hidden)


def _as_json(outcomes: Sequence[GoldenAnswer], broken: Sequence[BrokenAnswer]) -> Iterator[str]:
    """A line for each question."""
    why = {each.outcome.question: each for each in broken}
    for each in outcomes:
        broke = why.get(each.question)
        more = {"broke": broke is not None, "causes": broke.causes if broke else ()}
        yield json.dumps({**each.model_dump(mode="json"), **more}, ensure_ascii=False)


def _said(
    before: LastTime, outcomes: Sequence[GoldenAnswer], broken: Sequence[BrokenAnswer]
) -> Iterator[str]:
    why = {each.outcome.question: each for each in broken}
    for each in outcomes:
        yield _line(each)
        if broke := why.get(each.question):
            yield f"    was right on {broke.last_right[:10]}; since then:"
            causes = broke.causes or ("neither its pages nor the settings have changed",)
            yield from (f"    - {cause}" for cause in causes)
    right = {each.question for each in outcomes if each.is_right}
    mended = len(right & before.wrong)
    yield f"{len(right)} of {len(outcomes)} right, {len(broken)} broke, {mended} mended"
    untried = sum(not each.is_tried for each in outcomes)
    if untried:
        yield f"{untried} not tried: something did not answer; `groundwire doctor` says what"


def _line(outcome: GoldenAnswer) -> str:
    if outcome.is_right:
        return f"✓ {outcome.question}"
    missing = f": {', '.join(outcome.missing)}" if outcome.missing else ""
    return f"✗ {outcome.question}  ({outcome.verdict}{missing})"
