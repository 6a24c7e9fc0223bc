"""The whole product on stage: real processes against the stand-ins, in a transport."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from core.storage.database import Database
from evaluation.harness.progress import status
from sandbox.confluence.__main__ import SAMPLE
from sandbox.llm.client import ScriptedModel
from sandbox.programs.processes import DidNotStart, free_port
from sandbox.programs.stack import PATH, PRODUCT, ROOT, Stack, Transport
from sandbox.slack.client import Workspace

FIRST_S, WHOLE_S = 0.3, 2.0  # of the model's answer
WARM_S = 60.0
PEOPLE, CHANNELS = 40, 12
ALWAYS = 10**9  # times
REFUSED = "not_allowed_token_type"


@dataclass(frozen=True)
class Conditions:
    """Under which the product plays: the checkout it is of, the transport, and Slack's mood."""

    transport: Transport = "socket"
    product: Path = ROOT
    slow_s: float = 0.0  # before each reply of the Web API
    refuse: bool = False  # each call with 429
    hide_replies: bool = False  # conversations.replies is not for bots, as its page has it

    @property
    def spoils(self) -> bool:
        """Whether Slack is in any mood."""
        return bool(self.slow_s or self.refuse or self.hide_replies)

    def spoil(self, workspace: Workspace) -> None:
        """From now on Slack is in this mood."""
        if self.slow_s:
            workspace.fault(seconds=self.slow_s, times=ALWAYS)
        if self.refuse:
            workspace.fault(retry_after=10, times=ALWAYS)
        if self.hide_replies:
            workspace.fault("conversations.replies", error=REFUSED, times=ALWAYS)


@dataclass(frozen=True)
class Stage:
    """The running product, and the people and channels that are there."""

    stack: Stack
    workspace: Workspace
    database: Database
    people: list[str] = field(default_factory=list)
    channels: list[str] = field(default_factory=list)


@contextmanager
def running(conditions: Conditions) -> Iterator[Stage]:
    """The product, warm: it has answered a question; Slack counts calls from now on.

    Raises:
        DidNotStart: a program did not, or the sync failed.
    """
    settings = {
        "HEALTH_PORT": str(free_port()),
        "SPEAKER_METRICS_PORT": str(free_port()),
    }
    with (
        TemporaryDirectory() as folder,
        Stack(
            Path(folder),
            pages=SAMPLE,
            model="toy",
            transport=conditions.transport,
            product=conditions.product,
            settings=settings,
        ) as stack,
    ):
        with status(f"starting everything ({conditions.transport})"):
            _start(stack)
        with Workspace(stack.slack_url) as workspace:
            _warm(workspace)
            people, channels = crowd(workspace)
            # Never migrated: another checkout's tables are its own.
            database = Database(stack.settings.sql_url)
            yield Stage(stack, workspace, database, people, channels)


def crowd(workspace: Workspace) -> tuple[list[str], list[str]]:
    """Forty people and twelve channels, by their names."""
    return workspace.grow(PEOPLE, CHANNELS)


def start_stand_in(stack: Stack, name: str) -> str:
    """Another stand-in for Slack, without limits, beside that of the product; its address."""
    command = [sys.executable, "-m", "sandbox.slack", "--port", "0", "--limits", "none"]
    ready = r"listening on (http://\S+)"
    program = stack.programs.start(name, command, stack.environment, ready=ready)
    return program.wait_until_ready().group(1)


def start_idle(stack: Stack, slack_url: str, transport: Transport) -> None:
    """Start a Bolt app that only acknowledges, and wait until events reach it."""
    port = free_port()
    command = [sys.executable, "-m", "sandbox.programs.idle", slack_url, transport, str(port)]
    program = stack.programs.start("idle", command, stack.environment, ready="listening")
    program.wait_until_ready()
    with Workspace(slack_url) as workspace:
        if transport == "http":
            workspace.request_url(f"http://127.0.0.1:{port}{PATH}")
        workspace.wait_for_app()


def _start(stack: Stack) -> None:
    stack.start_sandbox()
    stack.start_model()
    stack.start("redis", "chroma")
    sync = stack.sync()
    stack.start(*PRODUCT[2:])
    if sync.process.wait() != 0:
        raise DidNotStart(f"the sync failed: {sync.last_words()}")
    with ScriptedModel(stack.settings.llm_base_url or "") as model:
        model.take(FIRST_S, WHOLE_S)


def _warm(workspace: Workspace) -> None:
    workspace.wait_for_app(WARM_S)
    sent = workspace.say("alice", "hr", "@groundwire Who leads the Vision team?")
    workspace.wait_for_reply(sent, WARM_S, lambda message: bool(message.blocks))
