"""`python -m worker keys`: a key, the move to a new one, and what no key opens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.access.token_keys import TokenKeys, new_key
from core.access.token_store import TokenStore
from core.storage.database import Database
from sandbox.programs.environment import child_environment

OLD, NEW = new_key(), new_key()

Command = Callable[[str, str], tuple[int, str]]


@pytest.fixture
def run(database: Database, tmp_path: Path) -> Command:
    """Runs a command with these keys; a token is there that the old key opens."""
    with database.session() as session:
        TokenStore(database, TokenKeys(OLD)).save(session, "a", "wombat-7741")

    def command(name: str, keys: str) -> tuple[int, str]:
        environment = child_environment(
            TOKEN_KEYS=keys,
            DATABASE_URL=f"sqlite:///{tmp_path / 'groundwire.db'}",
            ENV_FILE="/dev/null",
        )
        done = subprocess.run(
            [sys.executable, "-m", "worker", "keys", name],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        return done.returncode, done.stdout or done.stderr

    return command


def test_a_new_key_is_one_and_another_each_time(run: Command) -> None:
    printed = [run("new", "")[1].strip() for _ in range(2)]
    assert printed[0] != printed[1]
    assert TokenKeys(",".join(printed))


def test_tokens_move_to_the_first_key(run: Command, database: Database) -> None:
    for _ in range(2):
        done = run("rotate", f"{NEW},{OLD}")
        assert done == (0, "1 encrypted with the first key, 0 that no key opens\n")
    assert TokenStore(database, TokenKeys(NEW)).load("a") == "wombat-7741"


def test_tokens_of_a_lost_key_are_told_and_erased_on_order(
    run: Command, database: Database
) -> None:
    assert "0 encrypted with the first key, 1 that no key opens" in run("rotate", NEW)[1]
    assert "1 erased" in run("drop", NEW)[1]
    assert TokenStore(database, TokenKeys(OLD)).load("a") == ""


@pytest.mark.parametrize("keys", ["", "nonsense"])
def test_without_a_key_the_setting_is_named(run: Command, keys: str) -> None:
    code, said = run("rotate", keys)
    assert code == 2
    assert "TOKEN_KEYS" in said
