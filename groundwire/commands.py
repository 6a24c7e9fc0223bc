"""What can be typed after `groundwire`: programs to run, and what an operator does with them.

Commands of the programs are loaded when they are called, since some of them take seconds.
"""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

# Where a command is defined, with the name that it has there, if it is one of several.
ELSEWHERE = {
    "bot": ("bot.__main__:program", ""),
    "indexer": ("indexer.__main__:app", ""),
    "worker": ("worker.__main__:app", ""),
    "sync": ("indexer.__main__:app", "sync"),
    "doctor": ("groundwire.doctor.command:doctor", ""),
    "golden": ("groundwire.golden.command:app", ""),
    "pairs": ("groundwire.pairs.command:app", ""),
    "autopilot": ("groundwire.autopilot.command:autopilot", ""),
}


class Commands(TyperGroup):
    """In the help each has its sentence here; what it takes is known where it is defined."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name in ELSEWHERE else command, rest


def loaded(name: str) -> Any:
    """The command itself."""
    (module, _, attribute), among = ELSEWHERE[name][0].partition(":"), ELSEWHERE[name][1]
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name)(found)
        found = alone
    command: Any = get_command(found)
    return command.commands[among] if among else command


app = typer.Typer(
    cls=Commands,
    help="Runs Groundwire on this machine and looks after it.",
    no_args_is_help=True,
    add_completion=False,
    # Typer's own tracebacks show the values of variables, and one of them is a token.
    pretty_exceptions_enable=False,
)


class PoolName(StrEnum):
    """What a pool does."""

    ANSWER = "answer"
    EXPLAIN = "explain"
    SPEAK = "speak"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"groundwire {version('groundwire')}")
        raise typer.Exit


@app.callback()
def _options(
    shown: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Runs Groundwire on this machine and looks after it."""


@app.command()
def init(
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path(".env"),
) -> None:
    """Write a file of settings to fill in, each explained; what is there stays as it is."""
    from groundwire.settings_file import write

    write(file)


@app.command()
def up(
    without: Annotated[
        str,
        typer.Option(help="What runs elsewhere, such as redis,chroma.", metavar="NAMES"),
    ] = "",
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Start without looking at the settings first.")
    ] = False,
) -> None:
    """Run everything on this machine, in this terminal, until Ctrl-C."""
    from groundwire.running.up import run_all

    run_all(without, unchecked=unchecked)


@app.command()
def run(
    name: Annotated[str, typer.Argument(help="As `groundwire up` calls it, such as worker.")],
) -> None:
    """Run one program of those that `up` runs: for systemd, a container, another supervisor."""
    from groundwire.running.up import run_one

    run_one(name)


@app.command()
def pool(kind: Annotated[PoolName, typer.Argument(help="What it does.")]) -> None:
    """Run one of the three pools of workers."""
    from groundwire.running.pools import run

    run(kind)


@app.command()
def migrate() -> None:
    """Bring the database to this version; every program does so, too, when it starts."""
    from groundwire.running.migration import run_migration

    run_migration()


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="A folder for a new file, or the file's name.")],
) -> None:
    """Save the database into one file, while everything runs."""
    from groundwire.backup.commands import run_backup

    run_backup(target)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `groundwire backup` wrote.")],
    with_forgotten: Annotated[
        bool,
        typer.Option("--with-forgotten", help="Bring back what was forgotten since the backup."),
    ] = False,
) -> None:
    """Put a backup in the place of the database; what was there is kept beside."""
    from groundwire.backup.commands import run_restore

    run_restore(file, with_forgotten=with_forgotten)


class ConsoleFor(StrEnum):
    """Whom a link of the console is for."""

    OPERATOR = "operator"
    VIEWER = "viewer"


@app.command()
def console(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: that of CONSOLE_PORT.")] = 0,
    role: Annotated[
        ConsoleFor,
        typer.Option("--for", help="A viewer sees numbers and gaps, and no single answer."),
    ] = ConsoleFor.OPERATOR,
) -> None:
    """Show what people asked, what was missing and what it cost, in a browser on this machine."""
    from console.sessions import ConsoleRole
    from groundwire.running.console import run_console

    run_console(port, ConsoleRole(role.value))


_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


@app.command(context_settings=_PASSED_ON)
def redis(context: typer.Context) -> None:
    """Run a Redis server here; what follows is handed on to it."""
    from groundwire.running.servers import run_redis

    run_redis(context.args)


@app.command(context_settings=_PASSED_ON)
def chroma(context: typer.Context) -> None:
    """Run a Chroma server here; what follows is handed on to it."""
    from groundwire.running.servers import run_chroma

    run_chroma(context.args)


@app.command()
def bot() -> None:
    """Listen to Slack."""


@app.command()
def sync() -> None:
    """Bring Confluence into the index, once or again and again."""


@app.command()
def indexer() -> None:
    """See what is in the index: status, can-read, rebuild, entities, …"""


@app.command()
def worker() -> None:
    """Ask in a terminal, trace an answer, export, forget a person, …"""


@app.command()
def golden() -> None:
    """Ask your own questions again: what broke, and what has changed since it was right."""


@app.command()
def pairs() -> None:
    """Questions with their answers: propose them, and export them as instruction data."""


@app.command()
def autopilot() -> None:
    """Ask fifty questions made from your pages: is the bot ready, where does it fail, and why?"""


if find_spec("groundwire.doctor"):

    @app.command()
    def doctor() -> None:
        """Look at settings, stores, Slack, Confluence and the model: what is wrong, its cure."""
