"""The stand-ins as programs: they say where they listen, answer there, and stop when told to."""

from __future__ import annotations

import subprocess
import sys

import httpx
import pytest

from sandbox.http.server import listen


@pytest.mark.parametrize(
    ("module", "path", "status"), [("confluence", "/spaces/HR", 200), ("llm", "/models", 200)]
)
def test_a_program_says_where_it_listens_and_stops_when_told_to(
    module: str, path: str, status: int
) -> None:
    command = [sys.executable, "-m", f"sandbox.{module}", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        said, _, url = program.stdout.readline().strip().rpartition(" ")
        assert said == f"sandbox {module} listening on"
        assert httpx.get(url + path, trust_env=False).status_code == status
        program.terminate()
        program.wait(timeout=60)


def test_a_taken_port_is_told_in_one_line() -> None:
    with listen("127.0.0.1", 0) as taken:
        command = [sys.executable, "-m", "sandbox.llm", "--port", str(taken.getsockname()[1])]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 2
    assert "choose another --port" in run.stderr
    assert run.stderr.count("\n") == 1
