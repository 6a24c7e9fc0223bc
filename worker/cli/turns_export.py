"""`python -m worker turns export`: a line for each question, voted on or not."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from core import logs
from core.policy import audit
from core.policy.audit import Act
from core.settings import or_exit, settings
from core.storage.database import open_database
from worker.cli.exported import pseudonyms
from worker.cli.feedback_export import texts_of_all, texts_that_are_open, user_id
from worker.cli.lines import Format, write
from worker.cli.turns_rows import FIELDS, LeftOut, rows

app = typer.Typer(
    help="Questions, and all that was made of them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _turns() -> None:
    """Questions, and all that was made of them."""


@app.command()
def export(
    form: Annotated[
        Format, typer.Option("--format", help="Lines of JSON, or a table.")
    ] = Format.JSONL,
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Of this day (UTC) or later."),
    ] = None,
    with_private: Annotated[
        bool,
        typer.Option("--with-private", help="Also what was asked in direct messages."),
    ] = False,
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
    """Write every question with its answer, evidence, votes, reports and explanation.

    Texts of answers from pages that not everybody may read now are left out.
    """
    with or_exit():
        logs.configure_quietly(settings())
        database = open_database(settings().sql_url)
        shown = texts_of_all if as_saved else texts_that_are_open(database)
    first = since.replace(tzinfo=UTC).timestamp() if since else 0.0
    person = user_id if with_users else pseudonyms(database)
    chosen = {"with_users": with_users, "as_saved": as_saved, "with_private": with_private}
    details = {"what": "turns", "since": first, **chosen}
    audit.by_operator(database, Act.EXPORTED, details=details)
    left_out = LeftOut()
    counted = None if with_private else left_out
    write(rows(database, first, person, shown, private=counted), FIELDS, form, sys.stdout)
    if left_out.private:
        typer.echo(f"{left_out.private} asked in private left out: --with-private", err=True)
