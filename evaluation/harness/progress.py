"""Progress bars on stderr, for terminals only; the standard output is kept for figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.status import Status
from rich.text import Text

console = Console(stderr=True)
T = TypeVar("T")


class _Rate(ProgressColumn):
    """How many are done in a minute."""

    def render(self, task: Task) -> Text:
        return Text(f"{60 * task.speed:.1f}/min" if task.speed else "", style="progress.data.speed")


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The items, under a bar that appears at once; `total` where they have no length."""
    if total is None and isinstance(items, Collection):
        total = len(items)
    with counter(what, total) as advance:
        for item in items:
            yield item
            advance()


@contextmanager
def counter(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """A bar for work that is no loop: yields a function that advances it, by one by default."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=total)
        yield partial(progress.advance, task)


def status(what: str) -> Status:
    """A spinner for work without steps that could be counted."""
    return console.status(what)
