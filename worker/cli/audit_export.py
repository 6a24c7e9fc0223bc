"""`python -m worker audit`: the audit log, a line for each act; that is an act itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from core import logs
from core.policy import audit
from core.policy.audit import Act
from core.settings import or_exit, settings
from core.storage.access_tables import AuditRow
from core.storage.database import open_database
from worker.cli.lines import Format, write

FIELDS = ("at", "act", "team", "actor", "subject", "details", "id")


def export(
    form: Annotated[
        Format, typer.Option("--format", help="Lines of JSON, or a table.")
    ] = Format.JSONL,
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Of this day (UTC) or later."),
    ] = None,
) -> None:
    """Write who changed, exported, looked into and was refused what to standard output."""
    with or_exit():
        logs.configure_quietly(settings())
        database = open_database(settings().sql_url)
    first = since.replace(tzinfo=UTC).timestamp() if since else 0.0
    details = {"what": "audit", "since": first, "format": form.value}
    audit.by_operator(database, Act.EXPORTED, details=details)
    write(_lines(audit.entries(database, first)), FIELDS, form, sys.stdout)


def _lines(rows: Iterator[AuditRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        line = {name: getattr(row, name) for name in FIELDS}
        yield line | {"at": datetime.fromtimestamp(row.at, UTC).isoformat()}
