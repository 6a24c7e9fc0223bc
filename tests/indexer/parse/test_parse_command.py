"""`python -m indexer parse`: what becomes of one page, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from storage_pages import macro, table
from typer.testing import CliRunner, Result

from indexer.__main__ import app

LOADS = table("!Crane | !Load", "K4 | 12 t")
BODY = f"<h2>Lift</h2><p>Ask first.</p>{LOADS}{macro('code', plain='go', language='sh')}"


def parsed(*arguments: str, given: str | bytes | None = None) -> Result:
    """The command in this process."""
    return CliRunner().invoke(app, ["parse", *arguments], input=given)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A page in a file."""
    path = tmp_path / "lift.xml"
    path.write_text(BODY, encoding="utf-8")
    return path


def test_people_see_each_piece_with_all_that_is_known_of_it(file: Path) -> None:
    passage, _, row, code = parsed(str(file)).stdout.strip().split("\n\n[")
    assert (
        passage
        == "[passage] Lift\nAsk first.\n  anchor: Lift\n  after: Ask first. Crane | Load K4 | 12 t"
    )
    assert row.startswith(
        "row] Lift\nRow 1 in Table 1: Crane is K4, and Load is 12 t\n  anchor: Lift\n"
        "  table: 1\n  row: 1\n"
    )
    assert "code] Lift\ngo\n  anchor: Lift\n  language: sh\n" in code


def test_programs_get_every_field(file: Path) -> None:
    pieces = json.loads(parsed(str(file), "--json").stdout)
    assert [piece["kind"] for piece in pieces] == ["passage", "table", "row", "code"]
    row = pieces[2]
    assert (row["heading_path"], row["anchor"]) == (["Lift"], "Lift")
    assert (row["table"]["number"], row["table"]["header"]) == (1, ["Crane", "Load"])
    assert row["table"]["rows"] == [{"number": 1, "cells": ["K4", "12 t"], "group": ""}]
    assert {"text", "items", "code", "before", "after"} <= row.keys()


def test_a_dash_is_standard_input(file: Path) -> None:
    assert json.loads(parsed("-", "--json", given=BODY).stdout)[0]["text"] == "Ask first."


def test_a_byte_order_mark_is_no_text() -> None:
    assert json.loads(parsed("-", "--json", given=b"\xef\xbb\xbf<p>x</p>").stdout)[0]["text"] == "x"


def test_a_page_without_text_is_an_empty_answer() -> None:
    assert (parsed("-", given="").stdout, json.loads(parsed("-", "--json", given="").stdout)) == (
        "",
        [],
    )


def test_repaired_markup_is_told_beside_the_answer() -> None:
    done = parsed("-", "--json", given="<p>one</i>")
    assert (done.exit_code, json.loads(done.stdout)[0]["text"]) == (0, "one")
    assert done.stderr.startswith("groundwire: recovered from broken markup: ")


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "No such file"), (b"\xff\xfe not UTF-8", "'utf-8' codec")],
    ids=["missing", "not UTF-8"],
)
def test_what_cannot_be_read_is_one_line_and_an_exit_code(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    path = tmp_path / "page.xml"
    if content is not None:
        path.write_bytes(content)
    done = parsed(str(path), "--json")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("groundwire: cannot read ")
    assert why in done.stderr


def test_a_folder_is_no_page(tmp_path: Path) -> None:
    assert parsed(str(tmp_path)).exit_code == 1
