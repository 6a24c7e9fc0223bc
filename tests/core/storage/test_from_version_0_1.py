"""What version 0.1 stored: nothing is lost, and what it wrote as Markdown has structure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import version_0_1
from sqlmodel import select

from core.attribution import is_readable
from core.models import Evidence, Kind, Page, Record
from core.states import NoAnswer, TurnState
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from core.storage.tables import ExplanationRow, TurnRow
from worker.attribution.ablation.ablate import asked, frozen, without
from worker.generation.answer_prompt import answer_prompt

NEIGHBOUR = ("    (before: ", "    (after: ")


@pytest.fixture
def upgraded(empty_url: str, tmp_path: Path) -> Iterator[Database]:
    database = Database(empty_url)
    version_0_1.copy_into(database, tmp_path)
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
    assert explained.result
    assert not is_readable(explained.result)  # it is made anew


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


def test_saved_answers_are_asked_again_with_the_prompts_of_then(upgraded: Database) -> None:
    """But for the texts before and after pieces: of a table's end, they cannot be taken apart."""
    for record in records(upgraded):
        hits = frozen(record, context_tokens=6000)
        now = answer_prompt(asked(record), hits, manner=record.manner).user
        assert without_neighbours(now) == without_neighbours(record.prompt)


def without_neighbours(prompt: str) -> list[str]:
    return [line for line in prompt.splitlines() if not line.startswith(NEIGHBOUR)]


def test_a_removed_row_goes_from_a_saved_answer(upgraded: Database) -> None:
    (record,) = (each for each in records(upgraded) if "servers" in each.completed.question)
    rows = [place for place, hit in enumerate(record.hits) if hit.evidence.kind is Kind.ROW]
    line = " | ".join(value for _, value in record.hits[rows[0]].evidence.cells)
    left = without(frozen(record, context_tokens=6000), rows[:1])
    assert line in record.prompt
    assert line not in answer_prompt(asked(record), left, manner=record.manner).user


def test_an_old_refusal_says_until_when(upgraded: Database) -> None:
    with upgraded.reading() as session:
        turns = session.exec(select(TurnRow).where(TurnRow.state == TurnState.FAILED)).all()
    assert [(turn.reason, turn.refused_until) for turn in turns] == [
        (NoAnswer.LIMIT_PERSON, 1795331742.0)
    ]
