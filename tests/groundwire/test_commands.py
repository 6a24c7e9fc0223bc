"""What can be typed after `groundwire`, as an operator types it."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.settings import Settings
from groundwire.commands import app
from sandbox.programs.environment import child_environment

ROOT = Path(__file__).parents[2]


def typed(line: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """In an empty folder, by an account whose files others may read unless a program sees to it."""
    command = [sys.executable, "-m", "groundwire", *line.split()]
    around = child_environment(PYTHONPATH=str(ROOT), ENV_FILE="none", **settings)
    return subprocess.run(
        command, cwd=folder, env=around, capture_output=True, text=True, check=False, umask=0o022
    )


def test_the_help_names_every_program_without_loading_one(tmp_path: Path) -> None:
    done = typed("--help", tmp_path)
    assert done.returncode == 0
    for name in ("up", "bot", "pool", "sync", "indexer", "worker", "redis", "chroma", "migrate"):
        assert f"│ {name} " in done.stdout
    loaded = "import sys; from groundwire import commands; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, cwd=ROOT)
    assert {"groundwire.commands", "typer"} <= set(done.stdout.split())
    assert {"bot", "indexer", "worker", "sqlalchemy"} & set(done.stdout.split()) == set()


@pytest.mark.parametrize("line", ["bot", "sync", "indexer status", "worker ask"])
def test_a_program_tells_its_own_options(line: str) -> None:
    done = CliRunner().invoke(app, [*line.split(), "--help"], prog_name="groundwire")
    assert done.exit_code == 0
    assert f"Usage: groundwire {line}" in done.stdout


@pytest.mark.parametrize(
    "line", ["nonsense", "pool nonsense", "pool", "sync --evry 5m", "up --without", "init a b"]
)
def test_what_nobody_knows_is_named_with_code_2(line: str) -> None:
    done = CliRunner().invoke(app, line.split(), prog_name="groundwire")
    assert done.exit_code == 2
    assert "Error" in done.stderr


def test_what_runs_elsewhere_must_be_a_program(tmp_path: Path) -> None:
    done = typed("up --without redis,chrome", tmp_path)
    assert done.returncode == 2
    known = "redis, chroma, indexer, worker, explainer, speaker, bot"
    assert done.stderr == f"groundwire: --without: there is no chrome; there are {known}\n"


def test_a_wrong_setting_is_one_sentence(tmp_path: Path) -> None:
    for line in ("redis", "chroma", "migrate", "up"):
        done = typed(line, tmp_path, REDIS_PORT="many")
        assert done.returncode == 2
        assert done.stderr.startswith("groundwire: wrong setting: REDIS_PORT: ")
        assert done.stderr.count("\n") == 1


def test_the_first_settings_file_changes_nothing_and_is_private(tmp_path: Path) -> None:
    done = typed("init", tmp_path)
    assert done.returncode == 0
    written = tmp_path / ".env"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert Settings(_env_file=written) == Settings(_env_file=None)


def test_settings_that_are_there_are_never_written_over(tmp_path: Path) -> None:
    mine = tmp_path / "mine.env"
    mine.write_text("CONFLUENCE_SPACES=ENG\n")
    done = typed("init mine.env", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "groundwire: mine.env is there already, and stays as it is\n"
    assert mine.read_text() == "CONFLUENCE_SPACES=ENG\n"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = typed("init not/here", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("groundwire: a file cannot be read or written: ")
    assert "not/here" in done.stderr


def test_to_migrate_makes_a_private_database_and_says_where_it_is(tmp_path: Path) -> None:
    newest = max(file.stem for file in (ROOT / "migrations/versions").glob("0*.py"))[:4]
    for _ in range(2):
        done = typed("migrate", tmp_path)
        assert done.stdout == f"groundwire: the database is at migration {newest}\n"
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "var/groundwire.db").stat().st_mode) == 0o600


def test_the_version_is_told(tmp_path: Path) -> None:
    assert typed("--version", tmp_path).stdout.startswith("groundwire 0.")
