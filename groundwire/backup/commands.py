"""`groundwire backup` and `groundwire restore`: what they show while they work, and at the end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)
from rich.progress import Progress as Bar

from core.outages.ending import or_one_sentence
from core.settings import settings
from groundwire.backup.archive import Progress
from groundwire.backup.make import back_up
from groundwire.backup.restore import Restored, restore

MB = 1_000_000


def run_backup(target: Path) -> None:
    """One line at the end: the file, its size, the time that it took."""
    began = time.monotonic()
    with or_one_sentence(), _shown() as progress:
        file = back_up(settings().sql_url, target, progress)
    seconds = time.monotonic() - began
    typer.echo(f"{file}: {file.stat().st_size / MB:.1f} MB in {seconds:.1f} s")


def run_restore(file: Path, *, with_forgotten: bool) -> None:
    """What was restored, what was forgotten again, and what is to be done now."""
    began = time.monotonic()
    with or_one_sentence(), _shown() as progress:
        done = restore(settings(), file, forget=not with_forgotten, progress=progress)
    for line in _said(done, time.monotonic() - began, with_forgotten=with_forgotten):
        typer.echo(line)


def _said(done: Restored, seconds: float, *, with_forgotten: bool) -> Iterator[str]:
    of = done.manifest
    yield f"restored in {seconds:.1f} s: {of.made_at:%Y-%m-%d %H:%M} UTC, version {of.version}"
    if done.kept:
        yield f"kept what was there: {done.kept}"
    if done.settled.turns is None:
        yield (
            "the database that was there knows nothing of this backup: forget again whom you have "
            "forgotten since (groundwire worker forget TEAM USER)"
        )
    elif not with_forgotten:
        yield (
            f"forgotten again: {done.settled.turns} answers and {done.settled.rows} other entries "
            "that were forgotten since the backup"
        )
    yield "now: groundwire sync brings pages and restrictions up to date; then start the programs"


@contextmanager
def _shown() -> Iterator[Progress]:
    """A bar for each thing that is done, with its rate; only where a person watches."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks = {}

        def show(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of or None)
            bar.update(tasks[what], completed=done)

        yield show
