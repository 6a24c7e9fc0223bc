"""Programs are found as if the environment were activated, also where it is not."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs

ROOT = Path(__file__).parents[3]
BARE = "/usr/bin:/bin"  # as in a shell in which nothing was activated


@pytest.mark.parametrize("command", ["celery --version", "bash -c 'exec celery --version'"])
def test_a_program_beside_the_interpreter_is_found(command: str, tmp_path: Path) -> None:
    bare = child_environment(PATH=BARE)
    with Programs(tmp_path) as programs:
        started = programs.start("celery", shlex.split(command), bare, ready=r"\d+\.\d+")
        started.wait_until_ready()


def test_python_is_the_one_that_runs_us(tmp_path: Path) -> None:
    command = ["bash", "-c", "python -c 'import sys; print(sys.prefix, flush=True)'"]
    with Programs(tmp_path) as programs:
        started = programs.start("python", command, child_environment(PATH=BARE), ready=sys.prefix)
        started.wait_until_ready()


def test_a_measure_runs_without_activation() -> None:
    command = [sys.executable, "-m", "evaluation", "speed", "--pieces", "60", "--json"]
    bare = child_environment(PATH=BARE)
    done = subprocess.run(command, env=bare, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"60 pieces"' in done.stdout
