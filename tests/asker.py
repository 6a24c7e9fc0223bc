"""`python -m asker URL`, or in a test: asks questions without end, each once the last is saved."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from core.states import NoAnswer
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn
from sandbox.programs.environment import child_environment

TESTS = Path(__file__).parent

WORDS = "what " * 200  # a page of SQLite is full after some


def ask(database: Database, number: int, text: str = "", user: str = "U1") -> Turn:
    """One question in a thread of its own, answered at once with why there is no answer."""
    address = Address("T1", "C1", f"{number}.000000", f"{number}.000000")
    turn = turn_store.ask(database, NewQuestion(address, user, text or f"{WORDS}{number}?"))
    assert turn
    turn_store.fail(database, turn.id, NoAnswer.EMPTY)
    return turn


@contextmanager
def writers(url: str, *firsts: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Programs that ask questions until the block ends."""
    given = child_environment(PYTHONPATH=os.pathsep.join([str(TESTS.parent), str(TESTS)]))
    started = []
    for first in firsts:
        command = [sys.executable, "-m", "asker", url, str(first)]
        process = subprocess.Popen(command, env=given, stdout=subprocess.PIPE, text=True)
        started.append(process)
    try:
        for process in started:
            assert process.stdout
            process.stdout.readline()
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


def main() -> None:
    database = Database(sys.argv[1])
    for number in count(int(sys.argv[2])):
        ask(database, number)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
