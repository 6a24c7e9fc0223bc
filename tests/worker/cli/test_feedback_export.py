"""The export of votes: all the answer was made from, under names that stay, nobody by name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, update
from typer.testing import CliRunner

from core.models import Answer, Confidence, Evidence, Hit, Kind, Note, Page, Record, Source
from core.question import Completed, Condition, Field
from core.settings import settings
from core.states import Vote, VoteBy
from core.storage.database import Database
from core.storage.tables import FeedbackRow, ReportRow
from core.turns import feedback, turn_store
from core.turns.sources import source_reports
from core.turns.turn import Address, NewQuestion, Turn
from core.usage import Usage
from worker.__main__ import app
from worker.cli import feedback_rows
from worker.cli.exported import pseudonyms
from worker.cli.feedback_rows import FIELDS
from worker.cli.lines import Format, write

_ts = count(1)


def record(text: str = "110 EUR [1].", question: str = "What does a hotel cost?") -> Record:
    piece = Evidence(id="e1", page_id="7", kind=Kind.ROW, text="A hotel in Porto costs 110 EUR.")
    page = Page(id="7", space="HR", title="Travel", url="https://wiki.example/7", version=3)
    return Record(
        completed=Completed(
            question=question,
            text=f"{question} (Travel)",
            by="small",
            conditions=(Condition(field=Field.SPACE, value="HR", said="in HR"),),
        ),
        hits=(Hit(evidence=piece, page=page, score=1.5),),
        answer=Answer(
            text=text,
            model="small",
            confidence=Confidence.HIGH,
            notes=(Note.WORDS_ONLY,),
            sources=(
                Source(
                    number=1, title="Travel", url="https://wiki.example/7", evidence_ids=("e1",)
                ),
            ),
        ),
        prompt="Answer the question.",
        usage=Usage(calls=1, prompt_tokens=100, completion_tokens=7),
        settings={"embedder": "bundled"},
    )


def answered(
    database: Database, saved: Record | None = None, *, private: bool = False, user: str = "U0ALICE"
) -> Turn:
    where = Address("T1", "D0ALICE" if private else "C1", f"{next(_ts)}.5", "1.0")
    turn = turn_store.ask(
        database,
        NewQuestion(where, user=user, private=private, text=(saved or record()).completed.question),
    )
    assert turn is not None
    turn_store.answer(database, turn.id, saved or record())
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def rows(
    database: Database,
    since: float = 0.0,
    *,
    with_users: bool = False,
    shown: Callable[[Record], bool] = lambda _record: True,
) -> list[dict[str, Any]]:
    return list(
        feedback_rows.rows(
            database,
            since,
            (lambda _team, user: user) if with_users else pseudonyms(database),
            shown,
        )
    )


def test_an_answer_whose_pages_not_everybody_may_read_now_is_exported_without_its_texts(
    database: Database,
) -> None:
    turn = answered(database)
    feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.REACTION, at=10.0)
    (row,) = rows(database, shown=lambda _record: False)
    assert (row["turn_id"], row["vote"], row["withheld"]) == (turn.id, "up", True)
    assert (row["answer"], row["prompt"], row["sources"], row["evidence"]) == ("", "", [], [])
    (row,) = rows(database)
    assert row["withheld"] is False
    assert row["evidence"]


def test_a_vote_is_joined_to_all_that_the_answer_was_made_from(database: Database) -> None:
    turn = answered(database)
    feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.REACTION, at=10.0)
    feedback.record(
        database,
        turn.id,
        "U0BEN",
        Vote.DOWN,
        by=VoteBy.BUTTON,
        at=1_795_240_800.0,
        reason="it is 120 by now",
    )
    (row,) = rows(database, with_users=True)
    assert tuple(row) == FIELDS
    expected = {
        **{
            "question": "What does a hotel cost?",
            "completed_question": "What does a hotel cost? (Travel)",
            "completed_by": "small",
        },
        **{"filters": [{"field": "space", "value": "HR"}], "filtered": True, "kind": "factoid"},
        **{
            "vote": "down",
            "voted_by": "U0BEN",
            "voted_with": "button",
            "voted_at": "2026-11-21T06:00:00+00:00",
        },
        **{
            "reason": "it is 120 by now",
            "answer": "110 EUR [1].",
            "model": "small",
            "confidence": "high",
            "notes": ["words_only"],
        },
        **{
            "prompt": "Answer the question.",
            "prompt_tokens": 100,
            "completion_tokens": 7,
            "settings": {"embedder": "bundled"},
        },
        **{
            "asked_by": "U0ALICE",
            "team": "T1",
            "channel": "C1",
            "private": False,
            "turn_id": turn.id,
        },
    }
    assert {name: row[name] for name in expected} == expected
    assert row["evidence"][0] | {"text": "", "url": ""} == {
        **{
            "id": "e1",
            "page_id": "7",
            "version": 3,
            "space": "HR",
            "title": "Travel",
            "url": "",
            "kind": "row",
            "text": "",
            "score": 1.5,
        }
    }
    assert [(source["number"], source["evidence_ids"]) for source in row["sources"]] == [
        (1, ["e1"])
    ]


def test_people_are_pseudonyms_that_stay_the_same_also_where_they_are_mentioned(
    database: Database,
) -> None:
    first = answered(database, record(question="Is <@U0BEN> on call, or <@W0CEM|cem>?"))
    second = answered(database, private=True, user="U0BEN")
    for turn in (first, second):
        feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.BUTTON)
    both = sorted(rows(database), key=lambda row: row["private"])
    ben = both[0]["voted_by"]
    assert (both[1]["voted_by"], both[1]["asked_by"]) == (ben, ben)
    assert both[0]["asked_by"] != ben
    assert f"Is <@{ben}> on call" in both[0]["question"]
    assert not [
        name for name in ("U0BEN", "U0ALICE", "W0CEM", "D0ALICE") if name in json.dumps(both)
    ]
    assert rows(database) == rows(database)


def test_another_installation_has_other_pseudonyms(database: Database, tmp_path: Path) -> None:
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    other.migrate()
    assert pseudonyms(database)("T1", "U1") != pseudonyms(other)("T1", "U1")
    other.close()


def test_a_vote_that_was_taken_back_or_is_older_is_left_out(database: Database) -> None:
    kept, old, withdrawn = answered(database), answered(database), answered(database)
    for turn, at in ((kept, 200.0), (old, 100.0), (withdrawn, 200.0)):
        feedback.record(database, turn.id, "U1", Vote.UP, by=VoteBy.BUTTON, at=at)
    feedback.withdraw(database, withdrawn.id, "U1", Vote.UP, by=VoteBy.REACTION)
    assert [row["turn_id"] for row in rows(database, 150.0)] == [kept.id]


def test_more_votes_than_are_read_at_once_are_all_there_once(database: Database) -> None:
    turns = [answered(database) for _ in range(3)]
    for turn in turns:
        for number in range(5):
            feedback.record(database, turn.id, f"U{number}", Vote.UP, by=VoteBy.BUTTON)
    found = [(cast.turn_id, cast.user) for cast, _ in feedback.cast_since(database, 0.0, batch=2)]
    assert found == sorted((turn.id, f"U{number}") for turn in turns for number in range(5))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1"])
def test_a_table_holds_nothing_that_a_spreadsheet_would_carry_out(
    database: Database, text: str
) -> None:
    turn = answered(database, record(text=text, question=text))
    feedback.record(database, turn.id, "U1", Vote.UP, by=VoteBy.BUTTON, reason=text)
    out = io.StringIO(newline="")
    write(iter(rows(database)), FIELDS, Format.CSV, out)
    (row,) = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert [row[name] for name in ("question", "answer", "reason")] == [f"'{text}"] * 3
    assert json.loads(row["filters"]) == [{"field": "space", "value": "HR"}]
    assert row["prompt_tokens"] == "100"


def test_both_formats_have_the_same_fields_and_every_line_of_json_is_one_vote(
    database: Database,
) -> None:
    turn = answered(database, record(text="two\nlines, and ümläute"))
    for user in ("U1", "U2"):
        feedback.record(database, turn.id, user, Vote.UP, by=VoteBy.BUTTON)
    lines, table = io.StringIO(), io.StringIO(newline="")
    write(iter(rows(database)), FIELDS, Format.JSONL, lines)
    write(iter(rows(database)), FIELDS, Format.CSV, table)
    read = [json.loads(line) for line in lines.getvalue().splitlines()]
    again = list(csv.DictReader(io.StringIO(table.getvalue(), newline="")))
    assert (
        [row["answer"] for row in read]
        == [row["answer"] for row in again]
        == ["two\nlines, and ümläute"] * 2
    )
    assert tuple(read[0]) == tuple(again[0]) == FIELDS


def test_reports_of_wrong_sources_stand_on_every_line_about_their_answer(
    database: Database,
) -> None:
    turn = answered(database)
    for user in ("U1", "U2"):
        feedback.record(database, turn.id, user, Vote.DOWN, by=VoteBy.BUTTON)
    source_reports.record(database, turn, "U0CEM", {1}, "that page is a draft")
    source_reports.record(database, turn, "U1", {1}, "")
    first, second = rows(database, with_users=True)
    assert first["reports"] == second["reports"]
    assert [(each["by"], each["text"]) for each in first["reports"]] == [
        ("U0CEM", "that page is a draft"),
        ("U1", ""),
    ]
    assert first["reports"][0] | {"at": ""} == {
        "source_numbers": [1],
        "evidence_ids": ["e1"],
        "text": "that page is a draft",
        "by": "U0CEM",
        "at": "",
    }


def test_a_vote_without_a_report_says_so(database: Database) -> None:
    feedback.record(database, answered(database).id, "U1", Vote.UP, by=VoteBy.BUTTON)
    assert [row["reports"] for row in rows(database)] == [[]]


def test_an_answer_that_was_only_reported_has_a_line_without_a_vote(database: Database) -> None:
    voted, reported, _neither = (answered(database) for _ in range(3))
    feedback.record(database, voted.id, "U1", Vote.UP, by=VoteBy.BUTTON)
    for turn in (voted, reported):
        source_reports.record(database, turn, "U2", {1}, "outdated")
        source_reports.record(database, turn, "U3", {1}, "")
    found = {row["turn_id"]: row for row in rows(database)}
    assert [row["turn_id"] for row in rows(database)] == [voted.id, reported.id]
    row = found[reported.id]
    assert tuple(row) == FIELDS
    assert {row[name] for name in ("vote", "voted_by", "voted_at", "voted_with", "reason")} == {""}
    assert (row["answer"], len(row["reports"])) == ("110 EUR [1].", 2)


def test_a_report_that_is_newer_than_all_votes_is_exported_and_an_older_one_is_not(
    database: Database,
) -> None:
    newly, long_ago = answered(database), answered(database)
    feedback.record(database, newly.id, "U1", Vote.UP, by=VoteBy.BUTTON, at=100.0)
    for turn in (newly, long_ago):
        source_reports.record(database, turn, "U2", {1}, "")
    with database.session() as session:
        for turn, at in ((newly, 200.0), (long_ago, 100.0)):
            of_turn = update(ReportRow).where(col(ReportRow.turn_id) == turn.id)
            session.exec(of_turn.values(at=at))
    (row,) = rows(database, 150.0)
    assert (row["turn_id"], row["vote"]) == (newly.id, "")
    assert [row["vote"] for row in rows(database, 50.0)] == ["up", ""]


def test_more_reported_answers_than_are_read_at_once_are_all_there_once(
    database: Database,
) -> None:
    turns = [answered(database) for _ in range(5)]
    for turn in turns:
        for user in ("U1", "U2"):
            source_reports.record(database, turn, user, {1}, "")
    found = [turn.id for turn in source_reports.turns_without_vote(database, 0.0, batch=2)]
    assert found == sorted(turn.id for turn in turns)


def test_who_reports_is_the_same_pseudonym_as_who_votes(database: Database) -> None:
    turn = answered(database)
    feedback.record(database, turn.id, "U0BEN", Vote.DOWN, by=VoteBy.BUTTON)
    source_reports.record(database, turn, "U0BEN", {1}, "ask <@U0BEN>")
    (row,) = rows(database)
    (report,) = row["reports"]
    assert report["by"] == row["voted_by"]
    assert report["text"] == f"ask <@{row['voted_by']}>"
    assert "U0BEN" not in json.dumps(row)


def test_in_a_table_the_reports_are_json(database: Database) -> None:
    turn = answered(database)
    source_reports.record(database, turn, "U1", {1}, "=1+1")
    out = io.StringIO(newline="")
    write(iter(rows(database)), FIELDS, Format.CSV, out)
    (row,) = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert [each["text"] for each in json.loads(row["reports"])] == ["=1+1"]


def test_every_field_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs/operating.md").read_text()
    assert [name for name in FIELDS if f"`{name}`" not in page] == []


def test_the_command_writes_the_votes_of_a_day_and_later(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database.url)
    settings.cache_clear()
    turn = answered(database)
    feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.BUTTON)
    with database.session() as session:
        session.exec(update(FeedbackRow).values(at=1_795_240_800.0))  # 2026-11-21, 06:00 UTC

    def exported(*options: str) -> list[str]:
        result = CliRunner().invoke(app, ["feedback", "export", "--as-saved", *options])
        assert result.exit_code == 0, result.output
        return result.output.splitlines()

    assert len(exported()) == len(exported("--since", "2026-11-21")) == 1
    assert exported("--since", "2026-11-22") == []
    assert exported("--since", "2026-11-22", "--format", "csv") == [",".join(FIELDS)]
    assert ("U0BEN" in exported()[0], "U0BEN" in exported("--with-users")[0]) == (False, True)
    settings.cache_clear()
