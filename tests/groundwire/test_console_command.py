"""`groundwire console` as it is typed: a link, another one on Enter, a sentence where it cannot."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sandbox.programs.environment import child_environment

ROOT = Path(__file__).parents[2]


@contextmanager
def console(folder: Path, *arguments: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    folder.chmod(0o700)
    settings = {
        "DATA_DIR": str(folder),
        "CONFLUENCE_URL": "http://127.0.0.1:9/wiki",
        "CONFLUENCE_TOKEN": "token",
        "CONFLUENCE_SPACES": "*",
        "ENV_FILE": os.devnull,
    }
    command = [sys.executable, "-m", "groundwire", "console", *arguments]
    pipe = subprocess.PIPE
    environment = child_environment(**settings, **more)
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        yield process
        process.terminate()


def link_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    line = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/in\?link=[\w-]{43}", line), process.stderr
    return line


def free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


@pytest.mark.parametrize(("role", "status"), [("operator", 200), ("viewer", 403)])
def test_its_link_opens_it_once_and_enter_prints_another(
    tmp_path: Path, role: str, status: int
) -> None:
    with console(tmp_path, "--port", free_port(), "--for", role) as process:
        first = link_of(process)
        home = first.partition("/in?")[0]
        with httpx.Client(trust_env=False, follow_redirects=True, timeout=60) as browser:
            assert browser.get(first).status_code == 200
            assert browser.get(f"{home}/settings").status_code == status
        with httpx.Client(trust_env=False, timeout=60) as other:
            assert other.get(first).status_code == 403
            assert process.stdin
            process.stdin.write("\n")
            process.stdin.flush()
            assert other.get(link_of(process)).status_code == 303


def test_a_port_that_is_taken_is_said_with_its_cure(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        taken = str(listener.getsockname()[1])
        with console(tmp_path, CONSOLE_PORT=taken) as process:
            assert process.wait(timeout=120) == 2
            assert process.stderr
            said = process.stderr.read()
    assert f"port {taken} of this machine" in said
    assert "--port" in said
    assert "Traceback" not in said
