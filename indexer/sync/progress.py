"""Progress of long work: a bar in a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from core import logs

LOG_EVERY_S = 10.0

log = logs.get(__name__)


class Advance(Protocol):
    """Say that so many more pages are done."""

    def __call__(self, pages: int = 1) -> None: ...


def unseen(pages: int = 1) -> None:
    """For whoever shows no progress, or shows it otherwise."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show how many of `total` pages are done, how fast, and how long the rest will take."""
    console = Console(stderr=True)
    shown = _bar if console.is_terminal and total else _lines
    with shown(what, total) as advance:
        yield advance


@contextmanager
def _bar(what: str, total: int) -> Iterator[Advance]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
    )
    with Progress(
        *columns,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=total, rate="")

        def advance(pages: int = 1) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=pages, rate=f"{speed:.1f}/s" if speed else "")

        yield advance


@contextmanager
def _lines(what: str, total: int) -> Iterator[Advance]:
    started = last = time.monotonic()
    done = 0

    def advance(pages: int = 1) -> None:
        nonlocal done, last
        done += pages
        now = time.monotonic()
        if now - last >= LOG_EVERY_S:
            last = now
            rate = done / (now - started)
            left = round((total - done) / rate)
            log.info(
                "sync.progress",
                what=what,
                done=done,
                of=total,
                per_second=round(rate, 1),
                seconds_left=left,
            )

    yield advance
