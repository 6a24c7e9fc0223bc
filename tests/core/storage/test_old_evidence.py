"""Evidence of version 0.1: what its Markdown leaves open, its text and its cells tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from old_tables import migrated_to
from sqlalchemy import text
from sqlmodel import select

from core.models import Evidence, Record
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow
from core.storage.tables import TurnRow
from core.structure import ListItem, TableRow

PAGE = (
    "INSERT INTO page (source, id, space, title, record, body_hash, made_by, revision, visible,"
    " acl_id, names, extras, scanned_at, error, failures, next_try)"
    " VALUES ('confluence', '1', 'HR', 'T', '{}', '', '2', 1, true, 'a', '[]', '', 0, '', 0, 0)"
)
PIECE = (
    "INSERT INTO evidence (id, source, page_id, acl_id, record, text_hash)"
    " VALUES (:id, 'confluence', '1', 'a', :record, '')"
)
THREAD = "INSERT INTO thread (id, team, channel, thread_ts) VALUES ('thread', 'T1', 'C1', '1.0')"
TURN = (
    'INSERT INTO turn (id, thread_id, team, channel, ts, "user", private, question, filtered,'
    " by_button, asked_at, patience_from, attempts, state, reason, hidden, edition,"
    " work_enqueued_at, delivery_enqueued_at, record)"
    " VALUES (:id, 'thread', 'T1', 'C1', :id, 'U1', false, '?', true,"
    " false, 1.0, 1.0, 0, 'answered', '', false, 0, 1.0, 1.0, :record)"
)


@pytest.fixture
def database(empty_url: str) -> Iterator[Database]:
    opened = Database(empty_url)
    migrated_to(opened, "0012")
    yield opened
    opened.close()


def old(kind: str, text: str, raw: str = "", **more: Any) -> dict[str, Any]:
    """A piece as version 0.1 stored it; by its text, its place on the page."""
    piece = {"id": f"1:{kind}:{text}", "page_id": "1", "kind": kind, "text": text}
    around = {"raw": raw or text, "before": "", "after": "", "table": None, "row": None}
    return piece | around | {"cells": [], "position": 0} | more


def upgraded(database: Database, *pieces: dict[str, Any]) -> list[Evidence]:
    with database.engine.begin() as connection:
        connection.execute(text(PAGE))
        for position, piece in enumerate(pieces):
            record = json.dumps(piece | {"position": position})
            connection.execute(text(PIECE), {"id": f"confluence:{position}", "record": record})
    database.migrate()
    with database.reading() as session:
        rows = session.exec(select(EvidenceRow).order_by(EvidenceRow.id)).all()
    return [Evidence.model_validate(row.record) for row in rows]


def record_after(database: Database, hits: list[dict[str, Any]]) -> Record:
    """A saved answer with these hits, after the migration."""
    completed = {"question": "?", "text": "?"}
    saved = {"completed": completed, "hits": hits, "answer": {"text": "!"}}
    without_hits = saved | {"hits": None}
    with database.engine.begin() as connection:
        connection.execute(text(THREAD))
        connection.execute(text(TURN), {"id": "1", "record": json.dumps(saved)})
        connection.execute(text(TURN), {"id": "2", "record": None})
        connection.execute(text(TURN), {"id": "3", "record": "null"})
        connection.execute(text(TURN), {"id": "4", "record": json.dumps(without_hits)})
    database.migrate()
    with database.reading() as session:
        turn = session.get_one(TurnRow, "1")
    return Record.model_validate(turn.record)


def rows(piece: Evidence) -> list[TableRow]:
    return list(piece.table.rows) if piece.table else []


HEAD = "| Crane | Load |\n| --- | --- |\n"


def test_a_row_of_one_cell_is_no_group(database: Database) -> None:
    raw = HEAD + "| North |  |\n| K4 |  |\n| K5 | 2 t |"
    written = "Crane | Load\nNorth\nK4 | \nK5 | 2 t"
    (table,) = upgraded(database, old("table", written, raw, table=1))
    assert rows(table) == [
        TableRow(number=1, cells=("K4", ""), group="North"),
        TableRow(number=2, cells=("K5", "2 t"), group="North"),
    ]
    assert table.table is not None
    assert table.table.text == written


def test_a_written_line_break_is_told_from_one_that_was_meant(database: Database) -> None:
    raw = HEAD + "| K4 | a <br> b<br>c |"
    whole = old("table", "Crane | Load\nK4 | a <br> b\nc", raw, table=1)
    row = old("row", "Row 1 in Table 1: …", raw, table=1, row=1)
    row["cells"] = [["Crane", "K4"], ["Load", "a <br> b\nc"]]
    for piece in upgraded(database, whole, row):
        assert rows(piece) == [TableRow(number=1, cells=("K4", "a <br> b\nc"))]


def test_a_blank_at_the_end_of_a_cell_stays(database: Database) -> None:
    raw = HEAD + "| K4;  | \\|2 t |"
    (table,) = upgraded(database, old("table", "Crane | Load\nK4;  | |2 t", raw, table=1))
    assert rows(table) == [TableRow(number=1, cells=("K4; ", "|2 t"))]


def test_a_table_without_columns_has_no_rows(database: Database) -> None:
    (table,) = upgraded(database, old("table", "Cranes", "Cranes\n\n|  |\n|", table=1))
    assert table.table is not None
    assert (table.table.above, table.table.header, rows(table)) == ("Cranes", (), [])


def test_a_piece_of_a_long_row_says_a_run_of_columns(database: Database) -> None:
    raw = "| A | B | B |\n| --- | --- | --- |\n| k | x | y <br> |"
    piece = old("row", "Row 1 in Table 1: …", raw, table=1, row=1)
    piece["cells"] = [["A", "k"], ["B", "y <br>"]]
    (row,) = upgraded(database, piece)
    assert row.table is not None
    assert row.table.columns == (0, 2)
    assert row.cells == (("A", "k"), ("B", "y <br>"))


def test_a_text_around_that_shows_rows_of_one_column_is_dropped(database: Database) -> None:
    row = old("row", "Row 1 in Table 1: Crane is K4", "| Crane |\n| --- |\n| K4 |", table=1, row=1)
    row["cells"] = [["Crane", "K4"]]
    above = old("passage", "Our cranes.", before="Read K40.", after="Crane K4 K5")
    passage, _ = upgraded(database, above, row)
    assert (passage.before.text, passage.after.text) == ("Read K40.", "")


def test_an_item_keeps_its_further_lines(database: Database) -> None:
    listed = "First this\nor that:\n1. Run\n   - x\n2. Stop\n  - now"
    task = "1. Order\n[x] Disks"
    of_list, of_task = upgraded(database, old("list", listed), old("task", task))
    assert of_list.items == (
        ListItem(text="First this\nor that:", depth=-1),
        ListItem(text="Run\n- x", mark="1. "),
        ListItem(text="Stop", mark="2. "),
        ListItem(text="now", depth=1, mark="- "),
    )
    assert of_task.items == (
        ListItem(text="1. Order", depth=-1),
        ListItem(text="Disks", mark="[x] "),
    )


def test_a_part_of_a_saved_table_numbers_its_rows_by_a_row_that_knows(database: Database) -> None:
    """Twice in the answer, and not in the index any more."""
    part = old("table", "Crane | Load\nK4 | 1 t\nK5 | 2 t", HEAD + "| K4 | 1 t |\n| K5 | 2 t |")
    part |= {"table": 1, "position": 1}
    row = old("row", "Row 8 in Table 1: …", HEAD + "| K5 | 2 t |", table=1, row=8, position=5)
    row["cells"] = [["Crane", "K5"], ["Load", "2 t"]]
    page = {"id": "1", "space": "HR", "title": "T", "url": "u"}
    hits: list[dict[str, Any]] = [
        {"evidence": part, "page": page},
        {"evidence": row, "page": page, "block": [part]},
    ]
    record = record_after(database, hits)
    for piece in (record.hits[0].evidence, record.hits[1].block[0]):
        assert [row.number for row in rows(piece)] == [7, 8]


def test_a_hit_that_lacks_what_came_later_is_read(database: Database) -> None:
    piece = {"id": "a", "page_id": "1", "kind": "list", "text": "- Yes", "raw": "- Yes"}
    page = {"id": "1", "space": "HR", "title": "T", "url": "u"}
    record = record_after(database, [{"evidence": piece, "page": page}])
    assert record.hits[0].evidence.items == (ListItem(text="Yes", mark="- "),)
