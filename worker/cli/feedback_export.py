"""`python -m worker feedback export`: a line for each vote and each answer that was reported."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from core import logs
from core.models import Record
from core.policy import audit
from core.policy.audit import Act
from core.settings import or_exit, settings
from core.storage.database import Database, open_database
from worker.cli.exported import Shown, open_now, pseudonyms
from worker.cli.feedback_rows import FIELDS, rows
from worker.cli.lines import Format, write

app = typer.Typer(
    help="What people think of the answers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


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
    as_saved: Annotated[
        bool,
        typer.Option(
            "--as-saved",
            help="With the texts of all answers, without asking who may read their pages now.",
        ),
    ] = False,
) -> None:
    """Write votes and reports of wrong sources, with their answers, to standard output.

    Texts of answers from pages that not everybody may read now are left out.
    """
    with or_exit():
        logs.configure_quietly(settings())
        database = open_database(settings().sql_url)
        shown = texts_of_all if as_saved else texts_that_are_open(database)
    first = since.replace(tzinfo=UTC).timestamp() if since else 0.0
    person = user_id if with_users else pseudonyms(database)
    details = {"what": "feedback", "since": first, "with_users": with_users, "as_saved": as_saved}
    audit.by_operator(database, Act.EXPORTED, details=details)
    write(rows(database, first, person, shown), FIELDS, form, sys.stdout)


def texts_that_are_open(database: Database) -> Shown:
    from core.access.connected import connected  # noqa: PLC0415  (loads the client of the site)

    return open_now(connected(settings(), database))


def texts_of_all(_record: Record) -> bool:
    return True


def user_id(_team: str, user: str) -> str:
    return user
