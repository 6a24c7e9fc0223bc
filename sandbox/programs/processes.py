"""Starts programs, each with its own process group and log file, and ends every one of them.

Also when this process is killed and can end nothing itself: then `sandbox/programs/guard.py` does.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom

import psutil

STOP_S = 8.0  # a program that does not end by itself after this long is killed
LOOK_EVERY_S = (
    1.0  # at what a starting program does: to find all its processes costs some milliseconds
)
PORTS = range(16_000, 32_000)  # Linux gives outgoing connections others: 32768 and up
GUARD = [sys.executable, "-I", "-S", str(Path(__file__).with_name("guard.py"))]


class DidNotStart(Exception):
    """A program ended or timed out before it was ready; the message holds its last log line."""


def free_port() -> int:
    """A port that nobody listens on, and that nobody else is given here until this process ends."""
    while True:
        port = SystemRandom().choice(PORTS)  # tests seed the usual one, each process alike
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            _reserve(port)
            return port


def _reserve(port: int) -> None:
    """Take a name that the kernel keeps for one process at a time, and frees when that ends.

    Raises:
        OSError: another one has it.
    """
    name = socket.socket(socket.AF_UNIX)
    try:
        name.bind(f"\0groundwire-port-{port}")
    except OSError:
        name.close()
        raise
    name.detach()  # stays open


@dataclass(frozen=True)
class Patience:
    """How long a start is waited for: while the program does something."""

    idle_s: float = 60.0  # who neither said nor computed anything for this long is stuck
    longest_s: float = 300.0  # one that is always busy and never ready
    tell_s: float = 5.0  # a start that takes longer than this is told to whoever waits


@dataclass
class Waiting:
    """What is known of a start so far; times are those of one monotonic clock."""

    since: float
    patience: Patience
    signs: tuple[float, ...] = ()  # of life: what only grows while the program works
    changed: float = 0.0

    def look(self, signs: tuple[float, ...], now: float) -> str:
        """Why there is no more point in waiting, if so."""
        if signs != self.signs:
            self.signs, self.changed = signs, now
        if now - self.changed >= self.patience.idle_s:
            return f"did nothing for {self.patience.idle_s:.0f} s"
        if now - self.since >= self.patience.longest_s:
            return f"was not ready after {self.patience.longest_s:.0f} s"
        return ""


PATIENCE = Patience()


def nobody(_sentence: str) -> None:
    """Told of what takes long."""


def as_if_activated(environment: Mapping[str, str]) -> dict[str, str]:
    """This environment, where `celery`, `chroma` and `python` are those beside our interpreter."""
    beside = str(Path(sys.executable).parent)
    return {**environment, "PATH": os.pathsep.join([beside, environment.get("PATH", os.defpath)])}


@dataclass
class Program:
    """One running program and its log."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    ready: str  # a regular expression that its log holds once it works

    def wait_until_ready(
        self, patience: Patience = PATIENCE, say: Callable[[str], None] = nobody
    ) -> re.Match[str]:
        """Wait for the line that says so, while the program does something; `say` is told for what.

        Raises:
            DidNotStart: it ended, or is stuck.
        """
        waiting = Waiting(time.monotonic(), patience)
        look_at = waiting.since
        while True:
            ended = (
                self.process.poll() is not None
            )  # looked at first: what it said last must not be missed
            if said := re.search(self.ready, self.log.read_text(errors="replace")):
                return said
            if ended:
                raise DidNotStart(
                    f"{self.name} ended with code {self.process.returncode}: {self.last_words()}"
                )
            if time.monotonic() >= look_at:
                self._look(waiting, say)
                look_at = time.monotonic() + LOOK_EVERY_S
            time.sleep(0.05)

    def _look(self, waiting: Waiting, say: Callable[[str], None]) -> None:
        now = time.monotonic()
        if hopeless := waiting.look(self.signs(), now):
            raise DidNotStart(f"{self.name} {hopeless}: {self.last_words()}")
        if now - waiting.since >= waiting.patience.tell_s:
            say(f"waiting for {self.name}, {now - waiting.since:.0f} s so far: {self.last_words()}")

    def signs(self) -> tuple[float, float]:
        """What it has said, in bytes, and computed, in seconds, with all that it has started."""
        seconds = 0.0
        with suppress(psutil.NoSuchProcess):
            leader = psutil.Process(self.process.pid)
            for process in (leader, *leader.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    seconds += sum(process.cpu_times()[:2])
        return float(self.log.stat().st_size), seconds

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


class Guard:
    """A process that ends the programs when this one is gone.

    The kernel's own PR_SET_PDEATHSIG would fire when the thread ends that started the program, and
    leaves what the program has started itself.
    """

    def __init__(self) -> None:
        # A session of its own: neither a Ctrl-C nor a kill of our group may take the guard with us.
        self._process = subprocess.Popen(GUARD, stdin=subprocess.PIPE, start_new_session=True)

    def watch(self, group: int) -> None:
        """From now on this process group ends with us."""
        assert self._process.stdin
        self._process.stdin.write(f"{group}\n".encode())
        self._process.stdin.flush()

    def dismiss(self) -> None:
        """End it without its doing anything: the numbers it has may belong to others by now."""
        self._process.kill()
        self._process.communicate()


@dataclass
class Programs:
    """All programs that were started here; leaving the block ends them, the last one first."""

    logs: Path
    running: dict[str, Program] = field(default_factory=dict)
    guard: Guard | None = None

    def start(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        *,
        ready: str,
        folder: Path | None = None,
    ) -> Program:
        """Start a program without waiting for it; its log is kept in `logs`, one file per start.

        It works in `folder`, or in ours.
        """
        self.guard = self.guard or Guard()
        self.logs.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{name}-{time.time_ns()}.log"
        with log.open("wb") as output:
            # A group of its own: a Ctrl-C in the terminal reaches us alone, and we end the others
            # in the right order.
            streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
            around = {"env": as_if_activated(environment), "cwd": folder, **streams}
            process = subprocess.Popen(  # type: ignore[call-overload]
                command, start_new_session=True, **around
            )
        self.running[name] = Program(name, process, log, ready)
        self.guard.watch(process.pid)
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
        if self.guard:
            self.guard.dismiss()
            self.guard = None
