"""A host: a bot, a worker and a speaker with their own wires to the stores, and their own clock."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from sandbox.programs.processes import Program, free_port
from sandbox.programs.stack import ROOT, Stack
from sandbox.programs.wire import Wire

PROGRAMS = ("worker", "speaker", "bot")
WIRED = ("DATABASE_URL", "REDIS_URL", "CHROMA_URL", "SLACK_API_URL", "LLM_BASE_URL")
WRONG_CLOCK = ROOT / "sandbox/programs/wrong_clock"


@dataclass
class Host:
    """One of the two; its programs share nothing with the other's but the stores."""

    name: str
    stack: Stack
    skew_s: float = 0.0
    product: Path = ROOT
    wires: dict[str, Wire] = field(default_factory=dict)

    def lay_wires(self, until_closed: ExitStack) -> None:
        for name in WIRED:
            there = urlsplit(self.stack.environment[name])
            wire = Wire(there.hostname or "", there.port or 0)
            self.wires[name] = until_closed.enter_context(closing(wire))

    def start(self) -> None:
        """Start all of its programs, and wait until they work."""
        started = [self.launch(name) for name in PROGRAMS]
        for program in started:
            program.wait_until_ready()

    def launch(self, name: str) -> Program:
        return self.stack.launch(
            name, title=f"{self.name}-{name}", more=self._more(), product=self.product
        )

    def kill(self, *names: str) -> None:
        """As a crash would: of the whole host, or of some of its programs."""
        for name in names or PROGRAMS:
            self.stack.kill(f"{self.name}-{name}")

    def cut(self) -> None:
        for wire in self.wires.values():
            wire.cut()

    def mend(self) -> None:
        for wire in self.wires.values():
            wire.mend()

    def _more(self) -> Mapping[str, str]:
        through = {name: self._through(name) for name in self.wires}
        return through | {"HEALTH_PORT": str(free_port())} | self._clock()

    def _through(self, name: str) -> str:
        """The same address, over this host's wire."""
        there = urlsplit(self.stack.environment[name])
        user = f"{there.username}@" if there.username else ""
        netloc = f"{user}127.0.0.1:{self.wires[name].port}"
        return urlunsplit(there._replace(netloc=netloc))

    def _clock(self) -> dict[str, str]:
        if not self.skew_s:
            return {}
        path = os.pathsep.join([str(WRONG_CLOCK), str(self.product)])
        wrong = {"PYTHONPATH": path, "WRONG_CLOCK_S": str(self.skew_s)}
        # What is refused otherwise at the start: here it is to run.
        return wrong | {"CLOCK_SKEW_S": "100000"}
