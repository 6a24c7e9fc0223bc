"""Groundwire from its wheel, where there is no checkout; and from the checkout, from any folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.settings import Settings
from sandbox.confluence.__main__ import SAMPLE
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs
from sandbox.programs.stack import Stack

ROOT = Path(__file__).parents[1]
PROGRAMS = ("core", "bot", "worker", "indexer", "console")
OURS = (*PROGRAMS, "sandbox", "evaluation", "prompts", "migrations")
BUILD = "import sys; from hatchling import build; print(build.build_wheel(sys.argv[1]))"
HIDDEN = (*PROGRAMS, "migrations", "prompts", "languages")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the build backend itself from a copy of the checkout, off the network."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "checkout"
    for name in (*HIDDEN, "groundwire"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "manifest.json", "constraints.txt"):
        shutil.copy(ROOT / name, copy)
    for name in ("Procfile", ".env.example"):
        shutil.copy(ROOT / name, copy)
    command = [sys.executable, "-c", BUILD, str(folder)]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


class Installation:
    """An environment with the wheel and the packages of this one, and an empty folder to work in.

    Neither knows of the checkout.
    """

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.home, self.python = folder / "home", folder / "env/bin/python"
        self.home.mkdir()
        make = [sys.executable, "-m", "venv", "--without-pip", str(folder / "env")]
        subprocess.run(make, check=True)
        install = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet"]
        subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True)
        (packages,) = (folder / "env/lib").glob("python*/site-packages")
        # Python looks for no further .pth files there: that of the checkout is not read.
        (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")

    @property
    def command(self) -> str:
        return str(self.python.with_name("groundwire"))

    def environment(self, **settings: str) -> dict[str, str]:
        given = child_environment(**settings)
        kept = ("PATH", "HOME", "LANG", *settings)
        return {name: value for name, value in given.items() if name in kept}

    def typed(self, line: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *line.split(), *words],
            cwd=self.home,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            umask=0o022,
        )


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Stand-ins for Slack and Confluence, and the servers; the programs come from elsewhere."""
    with Stack(tmp_path_factory.mktemp("stack"), pages=SAMPLE, spaces="ENG") as stack:
        stack.start_sandbox()
        stack.start("redis", "chroma")
        yield stack


def settings_of(stack: Stack, home: Path) -> dict[str, str]:
    """Those of the stack, with a data folder of its own."""
    names = [name.upper() for name in Settings.model_fields]
    given = {name: stack.environment[name] for name in names if stack.environment.get(name)}
    return {**given, "DATA_DIR": str(home / "var")}


def test_the_wheel_puts_one_name_beside_other_peoples_packages(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {
        "groundwire",
        "groundwire-0.1.0.dist-info",
    }


def test_the_wheel_holds_every_file_that_the_programs_read(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        held = set(archive.namelist())
    listed = subprocess.run(
        ["git", "ls-files", *HIDDEN], cwd=ROOT, capture_output=True, text=True, check=True
    )
    missing = {f"groundwire/program/{name}" for name in listed.stdout.split()} - held
    assert missing == set()


def test_the_wheel_says_what_is_needed(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        metadata = archive.read("groundwire-0.1.0.dist-info/METADATA").decode()
    assert "Requires-Dist: sqlmodel" in metadata
    assert "Provides-Extra: postgres" in metadata


def test_an_installed_wheel_keeps_its_modules_to_itself(installed: Installation) -> None:
    look = "from importlib.util import find_spec; print([n for n in %r if find_spec(n)])"
    done = subprocess.run(
        [installed.python, "-c", look % (OURS,)],
        cwd=installed.home,
        env=installed.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_from_an_empty_folder_a_fresh_database_is_made(installed: Installation) -> None:
    assert "Usage: groundwire" in installed.typed("--help").stdout
    assert installed.typed("--version").stdout == "groundwire 0.1.0\n"
    done = installed.typed("migrate")
    assert (done.returncode, done.stderr) == (0, "")
    assert stat.S_IMODE((installed.home / "var").stat().st_mode) == 0o700
    shutil.rmtree(installed.home / "var")


def test_a_folder_of_the_operators_takes_no_name_of_ours(installed: Installation) -> None:
    (installed.home / "core").mkdir()
    (installed.home / "core/__init__.py").write_text("raise RuntimeError('not this one')")
    assert installed.typed("indexer --help").returncode == 0
    shutil.rmtree(installed.home / "core")


def test_it_syncs_and_answers_from_an_empty_folder(installed: Installation, stack: Stack) -> None:
    """Settings come from a file that the command wrote, filled in."""
    given = settings_of(stack, installed.home)
    installed.typed("init")
    with (installed.home / ".env").open("a") as file:
        file.writelines(f"{name}={value}\n" for name, value in given.items())
    done = installed.typed("sync")
    assert done.returncode == 0, done.stderr
    asked = installed.typed("worker ask", "Who leads the Vision team?")
    assert "Priya Raman" in asked.stdout


def test_everything_starts_and_ends_together_in_an_empty_folder(
    installed: Installation, stack: Stack, tmp_path: Path
) -> None:
    given = installed.environment(**settings_of(stack, installed.home))
    command = [installed.command, "up", "--without", "redis,chroma"]
    with Programs(tmp_path) as programs:
        program = programs.start("up", command, given, ready="", folder=installed.home)
        for ready in ("worker@", "explainer@", "speaker@", "listening", "synced"):
            program.ready = ready if "@" not in ready else rf"{ready}\S+ ready"
            program.wait_until_ready()
        started = re.findall(r"started \(pid=(\d+)\)", program.log.read_text())
        program.process.send_signal(signal.SIGINT)
        assert program.process.wait() == 130
    assert len(started) == 5
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


def test_nothing_that_is_installed_takes_our_names() -> None:
    installed = packages_distributions()
    others = {name: set(installed.get(name, [])) - {"groundwire"} for name in OURS}
    assert [name for name, owners in others.items() if owners] == []


def test_the_environment_finds_the_modules_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", f"import {', '.join(OURS)}; print(core.__file__)"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == ROOT / "core/__init__.py"


def test_a_tool_beside_the_interpreter_finds_them_too(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("celery")), "-A", "core.jobs.queue", "report"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "task_acks_late" in done.stdout


def test_the_scripts_can_be_started() -> None:
    assert all(os.access(file, os.X_OK) for file in (ROOT / "scripts").iterdir())
