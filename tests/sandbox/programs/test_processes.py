"""Programs: ports of their own, waited for while they start, ended with whoever started them."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from sandbox.programs.environment import child_environment
from sandbox.programs.processes import DidNotStart, Patience, Program, Programs, Waiting, free_port

GONE_S = 60.0  # longer than this, and what was started stays
# Starts a shell that has a child of its own, says the numbers of both, and waits to be killed.
STARTS = """
import sys, time
from pathlib import Path
from sandbox.programs.processes import Programs
programs = Programs(Path(sys.argv[1]))
command = ["bash", "-c", "sleep 600 & echo pids $$ $!; wait"]
family = programs.start("family", command, {"PATH": "/usr/bin:/bin"}, ready=r"pids (\\d+) (\\d+)")
print(*family.wait_until_ready().groups(), flush=True)
time.sleep(600)
"""
BUSY = Patience(idle_s=60, longest_s=300)


def shell(programs: Programs, code: str, *, ready: str = "ready") -> Program:
    return programs.start("shell", ["bash", "-c", code], child_environment(), ready=ready)


def test_what_somebody_started_ends_with_them_even_when_they_are_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STARTS, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout
        family = [psutil.Process(int(pid)) for pid in starter.stdout.readline().split()]
        assert len(family) == 2
        starter.send_signal(signal.SIGKILL)
    gone, alive = psutil.wait_procs(family, timeout=GONE_S)
    assert (len(gone), alive) == (2, [])


def test_no_guard_stays_behind_programs_that_were_stopped(tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    with Programs(tmp_path) as programs:
        shell(programs, "echo ready; sleep 600").wait_until_ready()
        assert len(set(psutil.Process().children()) - before) == 2
    assert set(psutil.Process().children()) <= before


def test_a_start_is_waited_for_as_long_as_something_is_done() -> None:
    waiting = Waiting(0.0, BUSY)
    assert waiting.look((0, 0), 0) == ""
    assert waiting.look((10, 0), 50) == ""  # it said something
    assert waiting.look((10, 1), 100) == ""  # it computed
    assert waiting.look((10, 1), 159) == ""
    assert waiting.look((10, 1), 160) == "did nothing for 60 s"
    assert waiting.look((10, 2), 299) == ""
    assert waiting.look((10, 3), 300) == "was not ready after 300 s"


def test_to_say_or_to_compute_something_is_a_sign_of_life(tmp_path: Path) -> None:
    with Programs(tmp_path) as programs:
        program = shell(programs, "bash -c 'while :; do :; done' & echo one; read; wait")
        said, computed = program.signs()
        while said == 0 or computed == 0:  # a child's work counts
            said, computed = program.signs()
            time.sleep(0.01)


def test_a_program_that_does_nothing_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    with Programs(tmp_path) as programs:
        stuck = shell(programs, "echo loading; exec sleep 600")
        with pytest.raises(DidNotStart, match="shell did nothing for 1 s: loading"):
            stuck.wait_until_ready(Patience(idle_s=1, longest_s=300))


def test_who_waits_long_is_told_for_what(tmp_path: Path) -> None:
    told: list[str] = []
    with Programs(tmp_path) as programs:
        # It is ready once we were told of it.
        slow = shell(
            programs, f"echo loading; until [ -e {tmp_path}/told ]; do sleep 0.01; done; echo ready"
        )

        def tell(sentence: str) -> None:
            told.append(sentence)
            (tmp_path / "told").touch()

        slow.wait_until_ready(Patience(tell_s=0), say=tell)
    assert told[0].startswith("waiting for shell, ")


def test_a_program_that_ends_is_not_waited_for(tmp_path: Path) -> None:
    with (
        Programs(tmp_path) as programs,
        pytest.raises(DidNotStart, match="shell ended with code 3: no luck"),
    ):
        shell(programs, "echo no luck; exit 3").wait_until_ready()


def test_no_port_is_given_twice_not_even_to_different_programs() -> None:
    code = (
        "import time; from sandbox.programs.processes import free_port; "
        "print(*(free_port() for _ in range(300)), flush=True); time.sleep(600)"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    try:
        with ThreadPoolExecutor() as pool:
            given = [port for ports in pool.map(ports_of, others) for port in ports] + [
                free_port() for _ in range(50)
            ]
    finally:
        for other in others:
            other.kill()
            other.communicate()
    assert len(set(given)) == len(given) == 950


def ports_of(process: subprocess.Popen[str]) -> list[int]:
    assert process.stdout
    return [int(port) for port in process.stdout.readline().split()]


def test_a_port_that_was_given_can_be_listened_on() -> None:
    with socket.create_server(("127.0.0.1", free_port())):
        """Nobody was in the way."""
