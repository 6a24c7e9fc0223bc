"""A database that version 0.1 made: nothing is lost, and what it wrote as Markdown has structure.

`groundwire-0.1.sql.gz` was made by that version itself against the stand-ins: 27 pages of the
sample company, 17 questions (one refused for a limit), an explanation, a vote. Without embeddings.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from core.attribution import Explanation
from core.models import Evidence, Kind, Page, Record
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from core.storage.tables import ExplanationRow, TurnRow

DUMP = Path(__file__).with_name("groundwire-0.1.sql.gz")


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "groundwire.db"
    old = sqlite3.connect(path)
    old.executescript(gzip.decompress(DUMP.read_bytes()).decode())
    old.close()
    database = Database(f"sqlite:///{path}")
    database.migrate()
    yield database
    database.close()


def evidence(database: Database) -> list[Evidence]:
    with database.reading() as session:
        rows = session.exec(select(EvidenceRow)).all()
    return [Evidence.model_validate(row.record) for row in rows]


def records(database: Database) -> list[Record]:
    with database.reading() as session:
        turns = session.exec(select(TurnRow)).all()
    return [Record.model_validate(turn.record) for turn in turns if turn.record]


def test_every_page_and_piece_and_answer_is_there_and_reads(upgraded: Database) -> None:
    assert len(evidence(upgraded)) == 248
    assert len(records(upgraded)) == 16
    with upgraded.reading() as session:
        pages = [Page.model_validate(row.record) for row in session.exec(select(PageRow)).all()]
        (explained,) = session.exec(select(ExplanationRow)).all()
    assert len(pages) == 27
    assert Explanation.model_validate(explained.result).effects


def test_the_structure_says_what_the_text_says(upgraded: Database) -> None:
    found = evidence(upgraded)
    for record in records(upgraded):
        found += [copy.evidence for hit in record.hits for copy in hit.everywhere]
        found += [piece for hit in record.hits for piece in hit.block]
    kinds = {piece.kind for piece in found}
    assert {Kind.TABLE, Kind.ROW, Kind.LIST, Kind.CODE, Kind.TASK} <= kinds
    for piece in found:
        assert said_by_structure(piece) in ("", piece.text)


def said_by_structure(piece: Evidence) -> str:
    """The text of a piece by its structure; empty for a row, which is told as a sentence."""
    if piece.kind is Kind.ROW:
        assert all(value in piece.text for _, value in piece.cells)
        return ""
    if piece.table is not None:
        return piece.table.text
    if piece.code is not None:
        return "\n".join(filter(None, (piece.code.above, piece.code.text)))
    return "\n".join(item.line for item in piece.items)


def test_rows_keep_their_numbers_columns_and_values(upgraded: Database) -> None:
    rows = [piece for piece in evidence(upgraded) if piece.kind is Kind.ROW]
    (porto,) = (row for row in rows if "Vision" in row.text and "Priya Raman" in row.text)
    assert (porto.row, porto.table_number) == (2, 1)
    assert dict(porto.cells)["Team lead"] == "Priya Raman"
    (whole,) = (
        piece
        for piece in evidence(upgraded)
        if piece.kind is Kind.TABLE and piece.page_id == porto.page_id
    )
    assert whole.table is not None
    assert porto.table is not None
    assert porto.table.rows[0] in whole.table.rows
