"""`python -m bot installations`: where the app is installed; removes one for the operator."""

from __future__ import annotations

from datetime import UTC, datetime

import typer

from bot.installing import removal
from bot.slack_api.installed.installations import Installations
from core.errors import SettingsError
from core.settings import or_exit, settings
from core.storage import clock
from core.storage.database import open_database

program = typer.Typer(help="The workspaces in which the app is installed.", no_args_is_help=True)


@program.command("list")
def show() -> None:
    """One line for each: its id, since when, its name, and what is wrong with it."""
    with or_exit():
        chosen = settings()
        for each in Installations.of(chosen, open_database(chosen.sql_url)).all():
            since = datetime.fromtimestamp(each.installed_at, UTC).strftime("%Y-%m-%d")
            state = f"{each.refused}: install it again" if each.refused else "works"
            typer.echo("\t".join((each.team, since, each.name, state)))


@program.command()
def remove(team: str) -> None:
    """Erase a workspace's tokens, people, settings and conversations, as when it uninstalls.

    Slack is told nothing: the app stays in the workspace until somebody there removes it.
    """
    with or_exit():
        chosen = settings()
        database = open_database(chosen.sql_url)
        if team not in {each.team for each in Installations.of(chosen, database).all()}:
            raise SettingsError(f"the app is not installed in {team}; see `installations list`")
        removal.uninstalled(database, team, at=clock.now() + 1)
    typer.echo(f"{team}: erased; its conversations go as soon as a speaker runs")
