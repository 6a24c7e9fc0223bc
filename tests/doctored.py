"""An installation for the doctor: real Redis, Chroma and SQLite, and the stand-ins over HTTP."""

from __future__ import annotations

import asyncio
import shutil
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.settings import Settings
from groundwire.doctor.examination import Examination
from groundwire.doctor.finding import HealthFinding, HealthState
from groundwire.doctor.hiding import Hiding
from groundwire.doctor.patient import Patient
from groundwire.doctor.table import CHECKS
from groundwire.running.servers import redis_server
from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import TOKEN, USERNAME
from sandbox.confluence.app import build_app as build_confluence
from sandbox.confluence.client import Site
from sandbox.confluence.site.load import load
from sandbox.http.server import listen, running
from sandbox.llm.client import ScriptedModel
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs, free_port
from sandbox.slack.client import Workspace
from sandbox.slack.serve import running as slack_running
from sandbox.slack.workspace.tiers import UNLIMITED
from sandbox.slack.workspace.values import APP_TOKEN, BOT_TOKEN

ROOT = Path(__file__).parents[1]
SLOW = "vectors.embedder"  # loads weights each time; it has a test of its own
States = dict[str, HealthState]


@dataclass
class Clinic:
    """What is healthy until a test breaks it."""

    given: dict[str, Any]
    workspace: Workspace
    site: Site
    model: ScriptedModel
    folder: Path

    def settings(self, **other: Any) -> Settings:
        return Settings(_env_file=None, **(self.given | other))

    def database(self, folder: Path) -> str:
        """The address of a copy that a test may change."""
        for file in self.folder.glob("groundwire.db*"):
            shutil.copy(file, folder / file.name)
        return f"sqlite:///{folder / 'groundwire.db'}"

    def found(self, *, by: dict[str, Any] | None = None, **other: Any) -> dict[str, HealthFinding]:
        """What every check but the slow one says of these settings; `by` is the patient's."""
        return examined(self.settings(**other), **(by or {}))

    def worse(self, **other: Any) -> dict[str, HealthFinding]:
        """What is a warning, or wrong."""
        return ill(self.found(**other))


def examined(chosen: Settings, **by: Any) -> dict[str, HealthFinding]:
    checks = [check for check in CHECKS if check.id != SLOW]
    running_checks = Examination(Patient(chosen, **by), checks, Hiding(()))
    return {each.id: each for each in running_checks.findings()}


def ill(findings: dict[str, HealthFinding]) -> dict[str, HealthFinding]:
    bad = (HealthState.WARNING, HealthState.WRONG)
    return {name: each for name, each in findings.items() if each.state in bad}


@pytest.fixture(scope="session")
def installation(
    tmp_path_factory: pytest.TempPathFactory, programs: Programs, chroma_url: str, llm_url: str
) -> Iterator[Clinic]:
    """Synced once."""
    folder = tmp_path_factory.mktemp("installation")
    folder.chmod(0o700)
    with (
        slack_running(limits=UNLIMITED) as slack_url,
        running(build_confluence(load(SAMPLE))) as site_url,
        Workspace(slack_url) as workspace,
        Site(site_url) as site,
        ScriptedModel(llm_url) as model,
    ):
        given = {
            "data_dir": str(folder),
            "slack_bot_token": BOT_TOKEN,
            "slack_app_token": APP_TOKEN,
            "slack_api_url": f"{slack_url}/api/",
            "confluence_url": f"{site_url}/wiki",
            "confluence_username": USERNAME,
            "confluence_token": TOKEN,
            "confluence_spaces": "ENG,HR",
            "confluence_requests_per_second": "200",
            "llm_base_url": llm_url,
            "llm_model": "sandbox-toy",
            "redis_url": keeping_redis(programs, folder),
            "chroma_url": chroma_url,
        }
        synced(given)
        yield Clinic(given, workspace, site, model, folder)


@pytest.fixture
def clinic(installation: Clinic) -> Clinic:
    """Healthy."""
    installation.workspace.reset()
    installation.site.reset()
    installation.model.reset()
    return installation


def keeping_redis(programs: Programs, folder: Path) -> str:
    """A server of its own that keeps what it is given, as the Procfile has it."""
    port = str(free_port())
    command = [redis_server(), "--bind", "127.0.0.1", "--port", port]
    command += ["--dir", str(folder), "--appendonly", "yes"]
    started = programs.start(
        "keeping-redis", command, child_environment(), ready="Ready to accept connections"
    )
    started.wait_until_ready()
    return f"redis://127.0.0.1:{port}/0"


def as_environment(given: dict[str, Any]) -> dict[str, str]:
    """These settings and no others."""
    empty = dict.fromkeys((name.upper() for name in Settings.model_fields), "")
    named = {name.upper(): str(value) for name, value in given.items()}
    return child_environment(**(empty | named), ENV_FILE="/dev/null", PYTHONPATH=str(ROOT))


def synced(given: dict[str, Any]) -> None:
    command = [sys.executable, "-m", "indexer", "sync"]
    done = subprocess.run(command, env=as_environment(given), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def visited(
    environment: dict[str, str], *options: str, folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """The command itself."""
    command = [sys.executable, "-m", "groundwire.doctor", *options]
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


@contextmanager
def off_by(app: ASGIApp, seconds: float, *, once: bool = False) -> Iterator[str]:
    """The address of this app on a machine whose clock is off; or the first time it is asked a
    thing.
    """
    asked: set[tuple[str, bytes]] = set()

    async def dated(scope: Scope, receive: Receive, send: Send) -> None:
        async def with_date(message: Message) -> None:
            if message["type"] == "http.response.start":
                thing = scope["path"], scope["query_string"]
                is_off = not once or thing not in asked
                asked.add(thing)
                date = formatdate(time.time() + seconds * is_off, usegmt=True).encode()
                message["headers"] = [*message.get("headers", []), (b"date", date)]
            await send(message)

        await app(scope, receive, with_date)

    config = uvicorn.Config(
        dated, log_level="critical", access_log=False, lifespan="off", ws="none", date_header=False
    )
    listener, server = listen("127.0.0.1", 0), uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextmanager
def redis_off_by(url: str, seconds: int) -> Iterator[str]:
    """The address of this Redis, as if its clock were off: all but TIME is its own."""
    there = urlsplit(url)

    class Passing(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with socketserver.socket.create_connection((there.hostname, there.port)) as server:  # type: ignore[attr-defined]
                while asked := self.request.recv(65_536):
                    server.sendall(asked)
                    reply = server.recv(65_536)
                    while not reply.endswith(b"\r\n"):
                        reply += server.recv(65_536)
                    if b"TIME\r\n" in asked.upper():
                        reply = b"*2\r\n$10\r\n%d\r\n$1\r\n0\r\n" % (time.time() + seconds)
                    self.request.sendall(reply)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Passing) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"redis://127.0.0.1:{proxy.server_address[1]}/0"
        proxy.shutdown()
