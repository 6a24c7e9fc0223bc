"""Programs that are started before what they need: they say what they wait for, and then work."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import httpx
import pytest

from sandbox.programs.processes import free_port
from sandbox.programs.stack import Stack
from scenarios.conftest import PATIENCE_S, Running, is_final

PORTS = {"worker": "WORKER_METRICS_PORT", "speaker": "SPEAKER_METRICS_PORT"}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Only the product: neither Slack and Confluence, nor Redis and Chroma."""
    ports = {name: str(free_port()) for name in PORTS.values()}
    folder = tmp_path_factory.mktemp("alone")
    with Stack(folder, limits="none", settings=ports) as stack:
        for name in ("bot", "worker", "speaker"):
            stack.launch(name)
        yield stack


def waits_for(stack: Stack, program: str) -> str:
    """What it says it waits for, once it says anything."""
    settings = stack.settings.model_dump()
    port = settings["health_port" if program == "bot" else PORTS[program].lower()]
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            said = httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=60)
        except httpx.HTTPError:
            time.sleep(0.2)
            continue
        assert said.status_code == 503
        waits: str = said.json()["waits_for"]
        if waits in ("slack", "redis"):
            return waits
        time.sleep(0.2)
    raise AssertionError(f"{program} says nothing")


def told(stack: Stack, program: str) -> set[str]:
    """The sentences about what it waits for, once there is one."""
    log = stack.programs.running[program].log
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        said = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
        if sentences := {line["error"] for line in said if line["event"] == "start.waits"}:
            return sentences
        time.sleep(0.2)
    raise AssertionError(f"{program} says nothing")


def test_each_says_what_it_waits_for_and_all_work_once_it_is_there(stack: Stack) -> None:
    waited = {name: waits_for(stack, name) for name in ("bot", "worker", "speaker")}
    assert waited == {"bot": "slack", "worker": "redis", "speaker": "redis"}
    for program in stack.programs.running.values():
        assert program.process.poll() is None
        assert "Traceback" not in program.log.read_text()
    (slack,) = told(stack, "bot")
    assert slack.startswith("Slack does not answer at http://127.0.0.1:")
    (redis,) = told(stack, "worker")
    assert redis == "Redis does not answer: is REDIS_URL right, and is redis-server running?"
    stack.start_sandbox()
    stack.start("redis", "chroma")
    for name in ("worker", "speaker", "bot"):
        stack.programs.running[name].wait_until_ready()
    assert stack.sync().process.wait(timeout=PATIENCE_S) == 0
    running = Running(stack)
    running.workspace.wait_for_app(PATIENCE_S)
    asked = running.ask("Who leads the Vision team?")
    answer = running.workspace.wait_for_reply(asked, PATIENCE_S, settled=is_final)
    assert "Priya Raman" in answer.plain()
    running.close()
