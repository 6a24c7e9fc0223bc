"""No room reads a whole table of turns: SQLite's plan of every statement that a room makes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from consoled import Consoled
from sqlalchemy import event, text

from evaluation.console.many_turns import fill

TURNS = 4_000
TABLES = "turn|turn_facts|cited_page|explanation|thread"  # votes are few and short
WHOLE = re.compile(rf"SCAN ({TABLES})$")
ROOMS = (
    "/?days=7",
    "/questions",
    "/questions?words=leave",
    "/questions?outcome=not_found",
    "/questions?outcome=green_down",
    "/gaps?days=7",
    "/pages?days=7",
    "/sync",
    "/cost?days=7",
    "/pairs",
    "/settings",
)


@pytest.fixture
def filled(console: Consoled) -> Consoled:
    """A console over some months of questions."""
    assert sum(fill(console.database, TURNS, seed=1)) == TURNS
    return console


@contextmanager
def statements(console: Consoled) -> Iterator[list[tuple[str, Any]]]:
    """What is asked of the database meanwhile."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_more: Any) -> None:
        asked.append((statement, given))

    engine = console.database.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


def plan(console: Consoled, statement: str, given: Any) -> list[str]:
    with console.database.engine.connect() as connection:
        cursor = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
        return [row[-1] for row in cursor]


@pytest.mark.parametrize("path", ROOMS)
def test_no_room_reads_a_whole_table(filled: Consoled, path: str) -> None:
    browser = filled.inside()
    with statements(filled) as asked:
        assert browser.get(path).status_code == 200
    selects = [each for each in asked if each[0].startswith("SELECT")]
    assert selects
    whole = [
        (line, statement)
        for statement, given in selects
        for line in plan(filled, statement, given)
        if WHOLE.match(line)
    ]
    assert whole == []


def test_the_numbers_are_those_of_the_questions(filled: Consoled) -> None:
    with filled.database.reading() as session:
        counted = session.execute(
            text("SELECT count(*) FROM turn WHERE asked_at >= :since"),
            {"since": time.time() // 86_400 * 86_400 - 6 * 86_400},
        ).scalar_one()
    shown = filled.inside().get("/?days=7").text
    assert f"<dt>Questions</dt><dd>{counted}</dd>" in shown
