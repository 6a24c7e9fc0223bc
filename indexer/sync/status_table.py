"""Status of spaces as people read it: a table, and a line for each problem."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from rich.table import Table

from indexer.sync.status import SpaceStatus

NAMES = {"embed": "Smart Link"}  # as people know it, where the API says something else


def table(spaces: list[SpaceStatus]) -> Table:
    columns = ("space", "pages", "for some", "withheld", "hidden", "evidence", "synced")
    table = Table(*columns, "restrictions as of", "asked")
    for space in filter(_is_one, spaces):
        numbers = (space.pages, space.restricted, space.withheld, space.hidden, space.evidence)
        ages = map(ago, (space.last_complete, space.scanned_since, space.asked))
        table.add_row(space.shown, *map(str, numbers), *ages)
    return table


def unread(spaces: list[SpaceStatus]) -> Iterator[str]:
    """One line for each space in which something is not read."""
    for space in spaces:
        if space.unread:
            counted = ", ".join(shown(kind, n) for kind, n in sorted(space.unread.items()))
            yield f"{space.shown}: not read: {counted}; named by: python -m indexer unread"


def shown(kind: str, count: int) -> str:
    """How many of a kind.

    >>> shown("whiteboard", 2), shown("embed", 1)
    ('2 whiteboards', '1 Smart Link')
    """
    name = NAMES.get(kind, kind)
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _is_one(space: SpaceStatus) -> bool:
    return bool(space.space)


def problems(spaces: list[SpaceStatus]) -> Iterator[str]:
    """A line for each space whose last sync failed, each page that does, each file without text."""
    for space in spaces:
        if space.last_error:
            yield f"{space.shown}: the last sync failed: {space.last_error}"
    for space in spaces:
        for page in space.failures:
            where = f"{space.shown}: {page['title']} ({page['page']})"
            yield f"{where}: {page['error']}; next try {page['next_try']}"
    for space in spaces:
        yield from _attachments(space)


def _attachments(space: SpaceStatus) -> Iterator[str]:
    if space.attachments:
        counts = ", ".join(f"{count} {state}" for state, count in sorted(space.attachments.items()))
        yield f"{space.shown}: attachments: {counts}"
    for file in space.unread_files:
        where = f"{space.shown}: {file['title']} ({file['page']}): {file['file']}"
        again = f"; next try {file['next_try']}" if file["next_try"] else ""
        yield f"{where}: {file['reason']}{again}"


def in_doubt(answers: int) -> Iterator[str]:
    if answers:
        yield f"{answers} answers in Slack rest on pages that may be closed now: being asked about"


def ago(moment: str) -> str:
    """How long ago an ISO time is, in the largest unit that fits."""
    if not moment:
        return "never"
    age = datetime.now(UTC) - datetime.fromisoformat(moment)
    seconds = age.total_seconds()
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"
