"""The whole product on this machine: the processes of the Procfile against the stand-ins.

The demo and the scenario tests use the same stack; the commands are those of production.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from honcho.environ import parse_procfile

from core.settings import Settings
from sandbox.llm import small
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Program, Programs, free_port, nobody
from sandbox.slack.client import Workspace
from sandbox.slack.workspace.values import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET

ROOT = Path(__file__).parents[2]

# What each program's log says once it works.
READY = {
    "redis": r"Ready to accept connections",
    "chroma": r"listening on address",
    "indexer": r"",
    "worker": r"worker@\S+ ready",
    "explainer": r"explainer@\S+ ready",
    "speaker": r"speaker@\S+ ready",
    "bot": r"listening",
}
# The models that can be asked here, with what the product has to know of them.
MODELS = {"toy": {"LLM_MODEL": "sandbox-toy"}, small.NAME: small.SETTINGS}
PATH = "/slack/events"  # of the bot's request URL
Transport = Literal["socket", "http"]
SlackLimits = Literal["published", "none"]
NOTHING_MORE: Mapping[str, str] = {}
WITH_PORTS = ("redis", "chroma", "slack", "confluence", "llm", "bot", "health", "console")
PRODUCT = ("redis", "chroma", "worker", "explainer", "speaker", "bot")


class Stack:
    """Starts and stops the programs; `folder` holds their data and logs.

    `model` is the one of MODELS to ask, if any. Slack's stand-in redelivers after the waits of
    `retry_s`, or after Slack's own if there are none, and limits calls as Slack publishes it, or
    not at all. The programs are those of `product`, a checkout of this repository.
    """

    def __init__(
        self,
        folder: Path,
        *,
        pages: Path | None = None,
        spaces: str = "*",
        model: str = "",
        transport: Transport = "socket",
        retry_s: Sequence[float] = (),
        limits: SlackLimits = "published",
        product: Path = ROOT,
        settings: dict[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.programs = Programs(folder / "logs")
        self.say: Callable[[str], None] = nobody  # is told what is waited for
        self.pages = pages
        self.slack_url = ""
        self.confluence_url = ""
        self._ports = {name: free_port() for name in WITH_PORTS}
        self._transport = transport
        self._slack_options = ["--limits", limits]
        if retry_s:
            self._slack_options += ["--retry-seconds", *map(str, retry_s)]
        self._product = product
        self._spaces = spaces
        self._model = model
        self._settings = (self.model_settings if model else {}) | (settings or {})

    def __enter__(self) -> Stack:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # else the product refuses it
        return self

    def __exit__(self, *_: object) -> None:
        self.programs.stop()

    @property
    def environment(self) -> dict[str, str]:
        """Settings of every program as environment variables, without the caller's `.env`."""
        empty = dict.fromkeys((name.upper() for name in Settings.model_fields), "")
        ports = {"REDIS_PORT": str(self._ports["redis"]), "CHROMA_PORT": str(self._ports["chroma"])}
        ports["CHROMA_LOG"] = "info"  # or it does not say that it listens
        return child_environment(
            **(empty | self._sandbox() | ports | self._settings),
            PYTHONUNBUFFERED="1",
            ENV_FILE="/dev/null",
        )

    @property
    def settings(self) -> Settings:
        """The same settings as a value, for a test that looks into the database."""
        chosen = {
            name: value
            for name, value in self.environment.items()
            if name.lower() in Settings.model_fields and value
        }
        return Settings.model_validate({name.lower(): value for name, value in chosen.items()})

    def start_sandbox(self) -> None:
        """Slack and Confluence as stand-ins."""
        pages = ["--pages", str(self.pages)] if self.pages else []
        slack = self._start_module("slack", self._slack_options)
        confluence = self._start_module("confluence", pages)
        self.slack_url = slack.wait_until_ready(say=self.say).group(1)
        self.confluence_url = confluence.wait_until_ready(say=self.say).group(1)

    def start_model(self) -> str:
        """The model that the product is to ask; the address of its endpoint."""
        return (
            self._start_module("llm", ["--model", self._model])
            .wait_until_ready(say=self.say)
            .group(1)
        )

    @property
    def bot_url(self) -> str:
        """Where the bot listens when Slack calls it."""
        return f"http://127.0.0.1:{self._ports['bot']}"

    @property
    def health_url(self) -> str:
        """Where the bot tells how it is; never where Slack calls it."""
        return f"http://127.0.0.1:{self._ports['health']}"

    @property
    def model_settings(self) -> dict[str, str]:
        """Settings that make the product ask the model."""
        return {"LLM_BASE_URL": f"http://127.0.0.1:{self._ports['llm']}/v1", **MODELS[self._model]}

    def start(self, *names: str) -> None:
        """Start these programs of the Procfile and wait until all of them work."""
        started = [self.launch(name) for name in names]
        for program in started:
            program.wait_until_ready(say=self.say)
        if "bot" in names and self._transport == "http":
            with Workspace(self.slack_url) as workspace:
                workspace.request_url(self.bot_url + PATH)

    def start_console(self) -> str:
        """The operator's console; the link with which one comes in."""
        return self.groundwire("console", ready=r"(http://\S+/in\?link=\S+)").group(1)

    def groundwire(self, *words: str, ready: str) -> re.Match[str]:
        """Run a command of it; what it says when it is ready."""
        command = [sys.executable, "-m", "groundwire", *words]
        environment = {**self.environment, "PYTHONPATH": str(self._product)}
        program = self.programs.start(words[0], command, environment, ready=ready)
        return program.wait_until_ready(say=self.say)

    def sync(self) -> Program:
        """Start a sync; its log says `synced` for each space, its exit code if all went well."""
        command = [sys.executable, "-m", "indexer", "sync"]
        environment = {**self.environment, "PYTHONPATH": str(self._product)}
        return self.programs.start(
            "indexer", command, environment, ready=READY["indexer"], folder=self._product
        )

    def restart(self, name: str) -> None:
        """Start a program again, on the same port and the same data."""
        self.launch(name).wait_until_ready(say=self.say)

    def kill(self, name: str) -> None:
        """End a program and all it has started at once, as a crash would."""
        self.programs.running[name].kill()

    def settle(self, **settings: str) -> None:
        """Further settings, of what is started from now on."""
        self._settings = {**self._settings, **settings}

    def launch(
        self,
        name: str,
        *,
        title: str = "",
        more: Mapping[str, str] = NOTHING_MORE,
        product: Path | None = None,
    ) -> Program:
        """Start a program of the Procfile, and wait for nothing.

        `title`: another one of it, whose settings have `more`, of another checkout.
        """
        checkout = product or self._product
        command = ["bash", "-c", f"exec {_commands(checkout)[name]}"]
        environment = {**self.environment, "PYTHONPATH": str(checkout), **more}
        return self.programs.start(
            title or name, command, environment, ready=READY[name], folder=checkout
        )

    def _start_module(self, name: str, arguments: list[str]) -> Program:
        command = [
            sys.executable,
            "-m",
            f"sandbox.{name}",
            "--port",
            str(self._ports[name]),
            *arguments,
        ]
        return self.programs.start(
            name, command, self.environment, ready=r"listening on (http://\S+)"
        )

    def _sandbox(self) -> dict[str, str]:
        def local(name: str) -> str:
            return f"127.0.0.1:{self._ports[name]}"

        return {
            "DATA_DIR": str(self.folder),
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            **self._of_the_transport(),
            "SLACK_API_URL": f"http://{local('slack')}/api/",
            "CONFLUENCE_URL": f"http://{local('confluence')}/wiki",
            "CONFLUENCE_USERNAME": "sandbox@example.com",
            "CONFLUENCE_TOKEN": "sandbox-token",
            "CONFLUENCE_SPACES": self._spaces,
            "LIMIT_PERSON_PER_HOUR": "0",  # a few people stand for many here
            "CONFLUENCE_REQUESTS_PER_SECOND": "200",  # the stand-in has no limits to respect
            "REDIS_URL": f"redis://{local('redis')}/0",
            "CHROMA_URL": f"http://{local('chroma')}",
            "HEALTH_PORT": str(self._ports["health"]),
            "CONSOLE_PORT": str(self._ports["console"]),
            "LOG_FORMAT": "json",
        }

    def _of_the_transport(self) -> dict[str, str]:
        if self._transport == "socket":
            return {"SLACK_APP_TOKEN": APP_TOKEN}
        return {
            "SLACK_SIGNING_SECRET": SIGNING_SECRET,
            "BOT_OPTIONS": f"--http --port {self._ports['bot']}",
        }


def _commands(checkout: Path) -> dict[str, str]:
    """The lines of its Procfile, by name."""
    found: dict[str, str] = parse_procfile((checkout / "Procfile").read_text()).processes
    return found
