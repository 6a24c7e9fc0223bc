"""Erasure of a person in a workspace with many questions of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from core.storage.database import Database
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion


@contextmanager
def parameters(database: Database) -> Iterator[list[int]]:
    """How many each statement was given."""
    given: list[int] = []

    def note(*happened: Any) -> None:
        given.append(len(happened[3]))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield given
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def ask(database: Database, count: int, channel: str) -> None:
    for number in range(count):
        where = Address("T1", channel, f"{number}.5", f"{number}.5")
        assert turn_store.ask(database, NewQuestion(where, user="U1", text="Who is on call?"))


def test_no_statement_is_given_more_when_others_have_asked_more(database: Database) -> None:
    """Postgres takes 65,535 in one statement."""
    most = []
    for channel, count in (("C1", 1), ("C2", 40)):
        ask(database, count, channel)
        with parameters(database) as given:
            erasure.forget_person(database, "T1", "U9")
        most.append(max(given))
    assert most[0] == most[1]
