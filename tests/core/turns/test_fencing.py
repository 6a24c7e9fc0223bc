"""Fencing: who was cut off, and was replaced meanwhile, saves nothing of a turn any more."""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from core.errors import LeaseLost
from core.jobs.leases import Lease, lease
from core.states import NoAnswer, NoExplanation
from core.storage.database import Database
from core.storage.tables import LeaseRow, ThreadRow, TurnRow
from core.turns import erasure, explanations, turn_delivery, turn_store
from core.turns.explanations import Call
from core.turns.turn import Address, NewQuestion, Turn
from core.usage import Usage

ROOT = Path(__file__).parents[3]
KEY = "worker.answer:1"
WRITES = ("session", "one_at_a_time", "begin", "connect")


@pytest.fixture
def turn(database: Database) -> Turn:
    asked = turn_store.ask(database, NewQuestion(Address("T1", "C1", "1.0", "1.0"), "U1", "Who?"))
    assert asked is not None
    explanations.request(database, asked.id, "U1")
    return asked


@contextmanager
def cut_off(database: Database) -> Iterator[None]:
    """Work under a lease that somebody else has taken over."""
    with lease(database, KEY) as held:
        assert held is not None
        with database.session() as session:
            taken = update(LeaseRow).where(col(LeaseRow.key) == KEY)
            session.exec(taken.values(owner="another"))
        yield


def call(database: Database, turn: Turn) -> None:
    explanations.save_call(database, turn.id, Call("key", 0, "text", Usage()))


SAVES: dict[str, Callable[[Database, Turn], object]] = {
    "a reason": lambda database, turn: turn_store.fail(database, turn.id, NoAnswer.LATE),
    "an attempt": lambda database, turn: turn_store.start(database, turn.id),
    "a new patience": lambda database, turn: turn_store.be_patient_again(database, turn.id),
    "delivered": turn_delivery.delivered,
    "to be delivered later": lambda database, turn: turn_delivery.deliver_later(database, turn, 1),
    "kept open": lambda database, turn: turn_delivery.KeptOpen(database, turn, 0).for_s(99),
    "an explanation that failed": lambda database, turn: explanations.fail(
        database, turn.id, NoExplanation.GAVE_UP
    ),
    "a call of an explanation": call,
    "an explanation delivered": lambda database, turn: explanations.delivered(database, turn.id),
    "an erased turn": lambda database, turn: erasure.forget_turn(database, turn.id, turn.user),
}


def rows(database: Database) -> list[object]:
    with database.reading() as session:
        return [row.model_dump() for row in session.exec(select(TurnRow)).all()]


@pytest.mark.parametrize("what", SAVES)
def test_who_was_replaced_saves_nothing(database: Database, turn: Turn, what: str) -> None:
    before = rows(database)
    with cut_off(database), pytest.raises(LeaseLost):
        SAVES[what](database, turn)
    assert rows(database) == before
    SAVES[what](database, turn)  # who holds no lease, or a lease of their own, does
    with lease(database, "worker.answer:2"):
        turn_store.start(database, turn.id)


def test_nobody_takes_a_lease_over_before_what_it_guards_is_saved(database: Database) -> None:
    """The lease ran out in the middle of the transaction."""
    saved, taken = threading.Event(), threading.Event()
    other = Lease(database, KEY)

    def take() -> None:
        while not other.take():
            saved.wait(0.01)
        taken.set()

    with lease(database, KEY, seconds=0.3) as held:
        assert held is not None
        held.stop()  # it is renewed no more
        with database.session() as session:
            session.add(ThreadRow(team="T1", channel="C1", thread_ts="1.0"))
            held.hold(session)
            thread = threading.Thread(target=take)
            thread.start()
            assert not taken.wait(0.6)
            saved.set()
    thread.join()
    assert taken.is_set()


def test_all_that_is_saved_of_a_turn_is_fenced() -> None:
    """Whoever saves asks core.jobs.leases.fenced for the transaction, and nobody else."""
    found = []
    for path in sorted((ROOT / "core/turns").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = ast.unparse(node.func.value)
                if node.func.attr in WRITES and owner.endswith("database"):
                    found.append(f"{path.name}:{node.lineno}")
    assert found == []


def test_no_turn_is_saved_from_elsewhere() -> None:
    """Tables of conversations are written in core.turns alone, where all is fenced."""
    tables = {"TurnRow", "PostRow", "ExplanationRow", "CallRow", "FeedbackRow", "ThreadRow"}
    found = []
    for program in ("bot", "console", "core", "indexer", "worker"):
        for path in sorted((ROOT / program).rglob("*.py")):
            if path.is_relative_to(ROOT / "core/turns"):
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("update", "delete"):
                    found += [f"{path.name}" for each in node.args if ast.unparse(each) in tables]
    # What a person hides on the Home tab is nobody else's work.
    assert found == ["history.py"]
