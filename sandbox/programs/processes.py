"""Starts programs, each with its own process group and log file, and ends every one of them."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

STOP_S = 8.0  # a program that does not end by itself after this long is killed


class DidNotStart(Exception):
    """A program ended or timed out before it was ready; the message holds its last log line."""


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@dataclass
class Program:
    """One running program and its log."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    ready: str  # a regular expression that its log holds once it works

    def wait_until_ready(self, timeout_s: float) -> re.Match[str]:
        """Wait for the line that says so.

        Raises:
            DidNotStart: it ended, or did not say so in time.
        """
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            ended = (
                self.process.poll() is not None
            )  # looked at first: what it said last must not be missed
            if said := re.search(self.ready, self.log.read_text(errors="replace")):
                return said
            if ended:
                raise DidNotStart(
                    f"{self.name} ended with code {self.process.returncode}: {self.last_words()}"
                )
            time.sleep(0.05)
        raise DidNotStart(f"{self.name} was not ready after {timeout_s:.0f} s: {self.last_words()}")

    def last_words(self) -> str:
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        return lines[-1] if lines else "it said nothing"

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the whole process group; a group that is gone already needs none."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return

    def kill(self) -> None:
        """End the whole group at once, as a crash or the kernel would."""
        self.signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Programs:
    """All programs that were started here; leaving the block ends them, the last one first."""

    logs: Path
    running: dict[str, Program] = field(default_factory=dict)

    def start(
        self, name: str, command: list[str], environment: dict[str, str], *, ready: str
    ) -> Program:
        """Start a program without waiting for it; its log is kept in `logs`, one file per start."""
        self.logs.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{name}-{time.time_ns()}.log"
        with log.open("wb") as output:
            # A group of its own: a Ctrl-C in the terminal reaches us alone, and we end the others
            # in the right order.
            streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
            process = subprocess.Popen(  # type: ignore[call-overload]
                command, env=environment, start_new_session=True, **streams
            )
        self.running[name] = Program(name, process, log, ready)
        return self.running[name]

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ask every program to end, kill what does not, and wait for all of them."""
        programs = list(reversed(self.running.values()))
        for program in programs:
            program.signal(signal.SIGTERM)
        until = time.monotonic() + STOP_S
        for program in programs:
            with suppress(subprocess.TimeoutExpired):
                program.process.wait(timeout=max(0.1, until - time.monotonic()))
            program.kill()  # what did not end, and whatever it has started itself
        self.running.clear()
