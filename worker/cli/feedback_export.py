"""`python -m worker feedback export`: a line for each vote and each answer that was reported."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, TextIO

import typer

from core.settings import or_exit, settings
from core.storage.database import open_database
from worker.cli.feedback_rows import FIELDS, pseudonyms, rows

app = typer.Typer(
    help="What people think of the answers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# CSV injection: a spreadsheet takes a cell that begins so for a formula
# (owasp.org/www-community/attacks/CSV_Injection).
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class Format(StrEnum):
    """Lines of JSON, or of a table."""

    JSONL = "jsonl"
    CSV = "csv"


@app.callback()
def _feedback() -> None:
    """What people think of the answers."""


@app.command()
def export(
    form: Annotated[
        Format, typer.Option("--format", help="Lines of JSON, or a table.")
    ] = Format.JSONL,
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Of this day (UTC) or later."),
    ] = None,
    with_users: Annotated[
        bool,
        typer.Option("--with-users", help="People by their ids in Slack instead of pseudonyms."),
    ] = False,
) -> None:
    """Write votes and reports of wrong sources, with their answers, to standard output."""
    with or_exit():
        database = open_database(settings().sql_url)
    first = since.replace(tzinfo=UTC).timestamp() if since else 0.0
    person = _user_id if with_users else pseudonyms(database)
    write(rows(database, first, person), form, sys.stdout)


def write(rows: Iterator[dict[str, Any]], form: Format, out: TextIO) -> None:
    """Line by line, so that a large export needs no memory."""
    if form is Format.JSONL:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False)
            out.write(line + "\n")
        return
    table = csv.writer(out)  # with \r\n between rows: only then is a lone \r in a text quoted
    table.writerow(FIELDS)
    for row in rows:
        cells = [_cell(row[name]) for name in FIELDS]
        table.writerow(cells)


def _user_id(_team: str, user: str) -> str:
    return user


def _cell(value: Any) -> str | int | float:
    """A cell of CSV: lists and values as JSON, and nothing that a spreadsheet would execute."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    executes = text.lstrip(" ").startswith(FORMULA)
    return f"'{text}" if executes else text
