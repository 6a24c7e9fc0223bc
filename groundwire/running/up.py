"""Programs of the Procfile on this machine: all in one terminal, where all end with one; or one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import typer
from honcho.environ import parse_procfile
from honcho.manager import Manager

from core.errors import SettingsError
from core.settings import Settings, or_exit, settings
from groundwire.where import ROOT


def run_all(without: str, *, unchecked: bool) -> None:
    """Look at the settings, then run all programs but those that run elsewhere."""
    with or_exit():
        chosen = settings()
        lines = programs(without)
        if not chosen.chroma_url:
            lines.pop("chroma", None)
        if not unchecked:
            _look_first(chosen)
    manager = Manager()
    for name, line in lines.items():
        manager.add_process(name, line, env=_environment(chosen))
    manager.loop()
    sys.exit(manager.returncode)


def run_one(name: str) -> None:
    """Become a program of the Procfile, for a supervisor that knows it by its name."""
    with or_exit():
        chosen = settings()
        lines = programs("")
        if name not in lines:
            raise SettingsError(f"there is no program {name}; there are {', '.join(lines)}")
        command = ["sh", "-c", f"exec {lines[name]}"]
        os.execve("/bin/sh", command, _environment(chosen))  # noqa: S606  (its line is ours)


def programs(without: str) -> dict[str, str]:
    """The commands of the Procfile by name.

    Raises:
        SettingsError: one of the names is not there.
    """
    lines: dict[str, str] = parse_procfile((ROOT / "Procfile").read_text()).processes
    left_out = {name.strip() for name in without.split(",") if name.strip()}
    if unknown := sorted(left_out - lines.keys()):
        known = ", ".join(lines)
        raise SettingsError(f"--without: there is no {', '.join(unknown)}; there are {known}")
    return {name: line for name, line in lines.items() if name not in left_out}


def _environment(chosen: Settings) -> dict[str, str]:
    """`python` is the one that runs us, and looks for modules where we have found ours."""
    inherited = dict(os.environ)  # noqa: TID251  (handed on, not read)
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join([beside, inherited.get("PATH", os.defpath)])
    ours = {"PATH": path, "PYTHONSAFEPATH": "1", "BOT_OPTIONS": chosen.bot_options}
    return {**inherited, **ours}


def _look_first(chosen: Settings) -> None:
    """What is wrong for good ends it here; what may still come, the programs wait for.

    Raises:
        SettingsError: what the doctor says, with its cure.
    """
    if found := list(_wrong(chosen)):
        for line in found:
            typer.echo(f"groundwire: {line}", err=True)
        raise SettingsError("nothing was started; `groundwire doctor` looks at everything")


def _wrong(chosen: Settings) -> Iterator[str]:
    if not find_spec("groundwire.doctor"):
        return
    for finding in import_module("groundwire.doctor.visit").findings(chosen, quick=True):
        if finding.state == "wrong" and not finding.may_come:
            yield f"{finding.says}: {finding.cure}"
