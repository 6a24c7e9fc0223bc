"""`python -m worker exam`: the grade is printed and kept, and the exit code tells it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from reading_models import agreeing, examined

from core.settings import Settings
from core.storage.database import Database
from sandbox.http.server import running
from sandbox.llm.scoring import build
from sandbox.llm.scripted import Script
from sandbox.programs.environment import child_environment
from worker.generation.second_reader.exam import Grade
from worker.generation.second_reader.grades import Grades

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Runs the command with these settings."""

    def run(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        environment = child_environment(
            DATA_DIR=str(tmp_path),
            DATABASE_URL=f"sqlite:///{tmp_path / 'groundwire.db'}",
            ENV_FILE="/dev/null",
            **settings,
        )
        return subprocess.run(
            [sys.executable, "-m", "worker", "exam", *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (examined(), 0, ("found 100 of 100 errors", "called 0 of 100 right", "any passes")),
        (agreeing, 1, ("found 0 of 100 errors", "200 readings count for nothing", "does not pass")),
    ],
)
def test_the_grade_is_printed_and_kept(
    command: Command, database: Database, script: Script, code: int, said: tuple[str, ...]
) -> None:
    with running(build(script, as_vllm=False)) as url:
        base_url = f"{url}/v1"
        done = command("--at-once", "8", LLM_BASE_URL=base_url, LLM_MODEL="any")
    assert done.returncode == code, done.stderr
    for part in said:
        assert part in done.stdout
    assert Grades(database, Settings(llm_base_url=base_url)).has_passed("any") is (code == 0)


def test_what_answers_nobody_is_not_examined(command: Command) -> None:
    endpoint = {"LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "any"}
    done = command("--model", "other", **endpoint)
    assert done.returncode == 2
    assert "LLM_MODELS" in done.stderr


def test_without_a_model_the_setting_is_named(command: Command) -> None:
    done = command()
    assert done.returncode == 2
    assert "LLM_BASE_URL" in done.stderr


def test_an_endpoint_that_is_down_changes_no_grade(command: Command, database: Database) -> None:
    down = "http://127.0.0.1:9/v1"
    grades = Grades(database, Settings(llm_base_url=down))
    grades.save("any", Grade(right=100, wrong=100, found=100))
    done = command(LLM_BASE_URL=down, LLM_MODEL="any")
    assert done.returncode == 2
    assert "no grade changed" in done.stderr
    assert Grades(database, Settings(llm_base_url=down)).has_passed("any")
