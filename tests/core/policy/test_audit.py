"""The audit log: rows are added, read in order, and deleted by their age alone."""

from __future__ import annotations

import ast
import inspect
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from core.policy import audit
from core.policy.audit import Act
from core.settings import settings
from core.storage.access_tables import AuditRow
from core.storage.database import Database
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion
from core.turns.upkeep.retention import DAY_S, Retention
from worker.__main__ import app

ROOT = Path(__file__).parents[3]


def acts(database: Database) -> list[str]:
    return [row.act for row in audit.entries(database)]


def test_more_rows_than_are_read_at_once_are_all_there_once_and_in_order(
    database: Database,
) -> None:
    with database.session() as session:
        for number in range(2 * audit.BATCH + 1):
            row = AuditRow(act=Act.REFUSED, at=float(number // 7), subject=str(number))
            session.add(row)
    found = list(audit.entries(database))
    assert [row.at for row in found] == sorted(row.at for row in found)
    assert len({row.id for row in found}) == len(found) == 2 * audit.BATCH + 1
    assert next(audit.entries(database, 100.0)).at == 100.0


def test_rows_written_at_once_are_all_kept(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            pool.submit(audit.write, database, Act.EXPORTED, subject=str(number))
    assert len({row.subject for row in audit.entries(database)}) == 40


def test_nothing_but_age_deletes_a_row(database: Database) -> None:
    now = time.time()
    with database.session() as session:
        session.add(AuditRow(act=Act.REFUSED, at=now - 31 * DAY_S, subject="old"))
        session.add(AuditRow(act=Act.REFUSED, at=now - 29 * DAY_S, subject="new"))
    Retention(database, days=1).round()
    assert len(acts(database)) == 2
    Retention(database, days=0, audit_days=30).round()
    assert [row.subject for row in audit.entries(database)] == ["new"]


def test_erasing_a_person_leaves_the_log_as_it_is(database: Database) -> None:
    turn_store.ask(database, NewQuestion(Address("T1", "C1", "1.0", "1.0"), "U1", "Who?"))
    audit.write(database, Act.REFUSED, team="T1", actor="U1", subject="a")
    erasure.forget_person(database, "T1", "U1")
    assert [(row.actor, row.subject) for row in audit.entries(database)] == [("U1", "a")]


def test_no_program_changes_a_row_or_deletes_one_elsewhere() -> None:
    """The table is named by the module that adds rows and by the export that reads them."""
    for program in ("bot", "console", "core", "indexer", "worker"):
        for file in (ROOT / program).rglob("*.py"):
            tree = ast.parse(file.read_text())
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            if "AuditRow" in names:
                assert file.name in ("audit.py", "audit_export.py"), file
    public = {name for name, _ in inspect.getmembers(audit, inspect.isfunction)}
    ours = {name for name in public if getattr(audit, name).__module__ == audit.__name__}
    assert ours == {"write", "by_operator", "entries", "newest", "teams", "prune", "_batch"}


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database: Database) -> Iterator[Database]:
    """The database that commands open."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", database.url)
    settings.cache_clear()
    yield database
    settings.cache_clear()


def ran(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_log_is_exported_and_that_is_in_it(cli: Database) -> None:
    audit.write(
        cli,
        Act.SETTING_CHANGED,
        team="T1",
        actor="U1",
        subject="C1",
        details={"tone": [None, "formal"]},
    )
    lines = [json.loads(line) for line in ran("audit").splitlines()]
    assert [(line["act"], line["actor"], line["subject"]) for line in lines] == [
        ("setting_changed", "U1", "C1"),
        ("exported", "", ""),
    ]
    assert lines[0]["details"] == {"tone": [None, "formal"]}
    assert lines[1]["details"]["what"] == "audit"
    assert lines[1]["details"]["os_user"]
    table = ran("audit", "--format", "csv", "--since", "2020-01-01").splitlines()
    assert table[0] == "at,act,team,actor,subject,details,id"
    assert len(table) == 4


def test_every_command_that_shows_what_people_asked_is_in_the_log(cli: Database) -> None:
    turn = turn_store.ask(cli, NewQuestion(Address("T1", "C1", "1.0", "1.0"), "U1", "Who?"))
    assert turn is not None
    ran("feedback", "export", "--as-saved")
    ran("trace", turn.id, "--json")
    ran("forget", "T1", "U1")
    with cli.reading() as session:
        rows = session.exec(select(AuditRow).order_by(col(AuditRow.at))).all()
    assert [(row.act, row.subject) for row in rows] == [
        ("exported", ""),
        ("looked_into", turn.id),
        ("person_forgotten", "U1"),
    ]
    assert all(row.actor == "" and row.details["os_user"] for row in rows)
    assert "Who?" not in json.dumps([row.details for row in rows])
