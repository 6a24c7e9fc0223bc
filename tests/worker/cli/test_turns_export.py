"""The export of turns: each question with all that came of it, nobody by name, documented."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select
from test_feedback_export import answered, record
from typer.testing import CliRunner

from core.models import Record
from core.settings import settings
from core.states import HandOverState, NoAnswer, Vote, VoteBy
from core.storage.access_tables import AuditRow
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverPersonRow, HandOverRow
from core.turns import erasure, explanations, feedback, turn_store
from core.turns.sources import source_reports
from core.turns.turn import Address, NewQuestion
from worker.__main__ import app
from worker.cli.exported import pseudonyms
from worker.cli.turns_rows import BATCH, FIELDS, LeftOut, rows

ROOT = Path(__file__).parents[3]


def exported(
    database: Database, *, shown: bool = True, private: LeftOut | None = None
) -> list[dict[str, Any]]:
    def is_shown(_record: Record) -> bool:
        return shown

    return list(rows(database, 0.0, lambda _team, user: user, is_shown, private=private))


def test_a_turn_is_exported_with_all_that_came_of_it(database: Database) -> None:
    turn = answered(database)
    feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.BUTTON, at=5.0)
    feedback.record(database, turn.id, "U0BEN", Vote.DOWN, by=VoteBy.REACTION, at=9.0)
    source_reports.record(database, turn, "U0BEN", [1], "It is 120 by now.")
    explanations.request(database, turn.id, "U0BEN")
    with database.session() as session:
        session.add(HandOverRow(turn_id=turn.id, asked_by="U0BEN", state=HandOverState.ASKED))
        session.add(HandOverPersonRow(turn_id=turn.id, user="U0CEM", team="T1"))
    (row,) = exported(database)
    assert tuple(row) == FIELDS
    assert (row["state"], row["answer"], row["confidence"]) == ("done", "110 EUR [1].", "high")
    assert [(each["vote"], each["by"], each["with"]) for each in row["votes"]] == [
        ("down", "U0BEN", "reaction")
    ]
    assert [each["vote"] for each in row["vote_history"]] == ["up", "down"]
    assert [each["source_numbers"] for each in row["reports"]] == [[1]]
    assert (row["hand_over"]["state"], row["hand_over"]["people"]) == ("asked", ["U0CEM"])
    assert row["explanation"]["state"] == "waiting"


def test_a_question_that_got_no_answer_is_exported_with_its_reason(database: Database) -> None:
    asked = turn_store.ask(
        database, NewQuestion(Address("T1", "C1", "9.5", "9.5"), user="U1", text="Who?")
    )
    assert asked
    turn_store.fail(database, asked.id, NoAnswer.LATE)
    (row,) = exported(database)
    assert tuple(row) == FIELDS
    assert (row["question"], row["state"], row["reason"]) == ("Who?", "failed", "late")
    assert (row["answer"], row["evidence"], row["explanation"]) == ("", [], None)


def test_texts_of_pages_that_not_everybody_may_read_now_are_left_out(database: Database) -> None:
    turn = answered(database)
    explanations.request(database, turn.id, "U0BEN")
    (row,) = exported(database, shown=False)
    assert row["withheld"] is True
    assert "110 EUR" not in json.dumps(row)
    assert "Travel" not in json.dumps(row)
    assert row["explanation"] is None


def test_private_questions_are_left_out_and_counted_unless_they_are_asked_for(
    database: Database,
) -> None:
    answered(database)
    answered(database, private=True)
    left_out = LeftOut()
    assert [row["private"] for row in exported(database, private=left_out)] == [False]
    assert left_out.private == 1
    assert [row["private"] for row in exported(database)] == [False, True]


def test_every_turn_is_exported_once_in_the_order_of_time(database: Database) -> None:
    asked = [answered(database).id for _ in range(2 * BATCH + 5)]
    forgotten = asked.pop(7)
    erasure.forget_turn(database, forgotten, "U0ALICE")
    assert [row["turn_id"] for row in exported(database)] == asked


def test_people_are_pseudonyms_in_every_field(database: Database) -> None:
    turn = answered(database, record(question="Is <@U0CEM> there?"))
    feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.BUTTON)
    with database.session() as session:
        session.add(HandOverRow(turn_id=turn.id, asked_by="U0BEN", state=HandOverState.ASKED))
        session.add(HandOverPersonRow(turn_id=turn.id, user="U0CEM", team="T1"))
    found = list(rows(database, 0.0, pseudonyms(database), lambda _record: True))
    assert not [name for name in ("U0BEN", "U0ALICE", "U0CEM") if name in json.dumps(found)]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_the_command_writes_lines_and_says_what_it_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    settings.cache_clear()
    database = Database(settings().sql_url)
    database.migrate()
    answered(database)
    answered(database, private=True)
    done = CliRunner().invoke(app, ["turns", "export", "--format", form, "--as-saved"])
    settings.cache_clear()
    assert done.exit_code == 0, done.output
    assert "1 asked in private left out: --with-private" in done.stderr
    if form == "csv":
        (found,) = csv.DictReader(io.StringIO(done.stdout))
        assert tuple(found) == FIELDS
        assert json.loads(found["votes"]) == []
    else:
        assert tuple(json.loads(done.stdout)) == FIELDS
    with database.reading() as session:
        (entry,) = session.exec(select(AuditRow)).all()
    assert (entry.act, entry.details["what"]) == ("exported", "turns")
    assert entry.details["with_private"] is False
    database.close()


def test_every_field_is_documented_and_nothing_else() -> None:
    text = (ROOT / "docs/operating.md").read_text()
    section = text.split("### All questions")[1].split("\n## ")[0]
    named = {
        name
        for cell in re.findall(r"^\| (`[^|]+) \|", section, re.M)
        for name in re.findall(r"`(\w+)`", cell)
    }
    assert named == set(FIELDS)
