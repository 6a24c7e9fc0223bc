"""The command `groundwire doctor`: shows each finding; its exit code says whether all is well."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from core.errors import SettingsError
from core.settings import Settings, settings
from core.settings.private_files import make_private
from groundwire.doctor.finding import HealthFinding, HealthState, worst, wrong
from groundwire.doctor.hiding import Hiding
from groundwire.doctor.patient import Patient

WRONG, UNUSABLE = 1, 2  # exit codes
EXPLAINED = "mend it in .env or in the environment; .env.example explains every setting"


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Ask no model anything: spends no token.")
    ] = False,
    long_prompt: Annotated[
        bool,
        typer.Option(
            "--long-prompt", help="Try a prompt as long as LLM_CONTEXT_TOKENS says: spends them."
        ),
    ] = False,
) -> None:
    """Look at settings, stores, Slack, Confluence and the model: what is wrong, and its cure.

    Nothing is changed and nothing is started. A model is asked for one word, and how likely a
    sentence is. Exit code 0: all is well, or there are warnings; 1: something is wrong; 2: the
    settings cannot be used.
    """
    make_private()
    began = time.monotonic()
    console = Console(stderr=True, highlight=False)
    with console.status("loading the programs"):
        from groundwire.doctor import output, visit  # noqa: PLC0415  (takes seconds, as one sees)
    chosen, findings = _settings()
    if chosen:
        spends = {"may_ask_model": not no_model, "tries_long_prompt": long_prompt}
        running = visit.begun(Patient(chosen, **spends))
    else:
        running = visit.without_settings()
    with Live(output.Progress(running), console=console, transient=True, refresh_per_second=8):
        findings += running.findings()
    if as_json:
        typer.echo(output.as_json(findings))
    else:
        output.show(Console(highlight=False), findings, time.monotonic() - began)
    raise typer.Exit(_code(chosen, findings))


def _settings() -> tuple[Settings | None, list[HealthFinding]]:
    """The settings, or what is wrong with them."""
    try:
        return settings(), []
    except SettingsError as error:
        said = str(error).removesuffix(" (see .env.example)")
        what, mark, cure = said.rpartition(": chmod ")
        found = wrong(what, f"chmod {cure}") if mark else wrong(said, EXPLAINED)
        kind = "settings.files" if mark else "settings.values"
        found = Hiding.of_settings().finding(found)
        return None, [HealthFinding(found.state, found.says, found.cure, id=kind)]


def _code(chosen: Settings | None, findings: list[HealthFinding]) -> int:
    if chosen is None:
        return UNUSABLE
    return WRONG if worst(findings) is HealthState.WRONG else 0
