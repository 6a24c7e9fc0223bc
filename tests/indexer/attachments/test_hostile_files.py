"""Hostile attachments: each is refused for a reason that is told, or read without harm."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from indexer.attachments.child import cpu_seconds
from indexer.attachments.converter import Converter, ConverterDown
from indexer.attachments.refusal import Refused
from sandbox.hostile import HOSTILE, documents, pdfs
from sandbox.hostile.office import deck, letter, packed, workbook
from sandbox.http.server import running

pytestmark = pytest.mark.skipif(
    find_spec("markitdown") is None, reason="needs the extra `documents`"
)

TOO_LONG = "too long"
MEMORY = "more memory"
REFUSED = {
    "zip bomb in Word": "unpacked it has 300 MB",
    "zip bomb in Excel": "unpacked it has 300 MB",
    "zip bomb in PowerPoint": "unpacked it has 300 MB",
    "XML bomb": "times its size",
    "nested zips": "not one Word, Excel or PowerPoint document",
    "directory that lies": "damaged",
    "overlapping parts": "overlap",
    "a part twice": "same name",
    "20,000 parts": "20,003 parts",
    "far cell": "row 1,048,576 and column 16,384",
    "far cell in a part of another name": "row 1,048,576 and column 16,384",
    "far row": "2,000,000 empty cells",
    "shared string bomb": MEMORY,
    "300,000 cells": "times its size",
    "billion laughs": "document type",
    "external entity": "document type",
    "deep XML": "nested deeper",
    "nested tables": "nested deeper",
    "nested tables that are allowed": "nested too deep",
    "encrypted parts": "encrypted",
    "encrypted Office": "encrypted",
    "archive cut short": "damaged",
    "encrypted PDF": "encrypted",
    "PDF with a strange lock": "damaged",
    "PDF cut short": "damaged",
    "page tree in a circle": "no pages",
    "deep page tree": "nested too deep",
    "PDF stream bomb": MEMORY,
    "PDF stream bomb, packed twice": f"{MEMORY}|{TOO_LONG}",
    "100,000 pages": "more than 2,000 pages",
    "500,000 letters on a page": TOO_LONG,
    "200,000 lines on a page": TOO_LONG,
    "references in a circle": TOO_LONG,
    "deep array": "damaged",
    "letters without end": TOO_LONG,
    "table in a circle": "nested too deep",
    "wide predictor": MEMORY,
    "million columns": "2,000,002 cells",
    "long header over many rows": "long headers",
    "long field": "field larger than field limit",
    "ragged rows": "characters of text",
    "page of HTML called Word": "not what the name says",
    "program called text": "not what the name says",
    "empty file": "empty",
}
HARMLESS = {
    "claim of all cells": "Osprey",
    "external template": "Osprey",
    "nested math": "Osprey",
    "slow format of numbers": "<th>1</th>",
    "paths in the archive": "Osprey",
    "picture bomb": "Osprey",
    "form in itself": "",
    "table without end": "Osprey",
    "PDF that is also a zip": "Osprey",
    "many rows": "Osprey",
    "deep quotes": "blockquote",
    "deep brackets": "Osprey",
    "script in text": "&lt;script&gt;",
    "Word called PDF": "Osprey",
    "control characters in the name": "&lt;script",
}


@pytest.fixture(scope="module")
def converter() -> Iterator[Converter]:
    with Converter() as made:
        yield made


def test_each_kind_of_attack_is_expected_to_end_in_some_way() -> None:
    assert REFUSED.keys() | HARMLESS.keys() == HOSTILE.keys()
    assert not REFUSED.keys() & HARMLESS.keys()


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("what", REFUSED)
def test_a_hostile_file_is_refused_with_its_reason_and_the_next_one_is_read(
    converter: Converter, what: str
) -> None:
    name, make = HOSTILE[what]
    with pytest.raises(Refused, match=REFUSED[what]) as caught:
        converter.convert(name, make())
    assert "Osprey" not in str(caught.value)
    assert converter.convert("notes.txt", b"Take it in May.") == "<pre>Take it in May.</pre>"


@pytest.mark.parametrize("what", HARMLESS)
def test_a_file_that_only_looks_hostile_is_read_without_harm(
    converter: Converter, what: str
) -> None:
    name, make = HOSTILE[what]
    text = converter.convert(name, make())
    assert HARMLESS[what] in text
    assert "<script" not in text
    assert "root:" not in text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", packed(letter())),
        ("a.xlsx", packed(workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'))),
        ("a.pptx", packed(deck())),
        ("a.pdf", pdfs.plain()),
        ("a.pdf", b"@PJL JOB\r\n" + pdfs.plain()),
        ("a.txt", b"A text about %PDF-1.4 and Osprey"),
    ],
)
def test_the_good_files_that_the_hostile_ones_are_made_of_are_read(
    converter: Converter, name: str, data: bytes
) -> None:
    assert "Osprey" in converter.convert(name, data)


def test_a_sheet_with_formats_down_to_its_last_row_is_read(converter: Converter) -> None:
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    rows += '<row r="1048576"><c r="J1048576" s="0"/></row>'
    assert "Osprey" in converter.convert("a.xlsx", packed(workbook(rows)))


def test_drawings_and_pages_of_html_in_a_document_need_not_be_xml(converter: Converter) -> None:
    beside: dict[str, str | bytes] = {
        "word/drawing.vml": "<xml><br></xml>",
        "word/chunk.htm": "<!DOCTYPE html><html><p>x",
        "word/media/image.svg": "<?xml version='1.0'?><!DOCTYPE svg><svg/>",
    }
    assert "Osprey" in converter.convert("a.docx", packed(letter() | beside))


def test_what_a_document_refers_to_is_not_asked_for(converter: Converter) -> None:
    asked: list[str] = []

    async def answer(request: Request) -> Response:
        asked.append(request.url.path)
        return Response(b"<x/>")

    with running(Starlette(routes=[Route("/{any:path}", answer)])) as url:
        converter.convert("a.docx", documents.external_template(url))
        with pytest.raises(Refused):
            converter.convert("a.docx", documents.external_entity(url))
    assert asked == []


def test_the_process_that_opens_files_has_no_secret_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CONFLUENCE_TOKEN", "the-secret")
    before = children()
    with Converter() as converter:
        converter.convert("a.txt", b"x")
        (child,) = children() - before
        assert b"the-secret" not in Path(f"/proc/{child}/environ").read_bytes()
    assert children() == before


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Converter() as converter:
        converter.convert("../../x.docx", documents.path_in_archive())
        with pytest.raises(Refused):
            converter.convert("x.pdf", pdfs.reference_in_a_circle())
        (home,) = tmp_path.iterdir()
        assert list(home.glob("[!.]*")) == []  # libraries make folders for their settings
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_stops_answering_is_replaced() -> None:
    before = children()
    with Converter(spare_s=1 - cpu_seconds(1)) as converter:
        converter.convert("a.txt", b"x")
        (child,) = children() - before
        os.kill(child, signal.SIGSTOP)
        with pytest.raises(Refused, match=TOO_LONG):
            converter.convert("a.txt", b"x")
        assert child not in children()
        assert converter.convert("a.txt", b"x") == "<pre>x</pre>"


def test_a_process_that_does_not_start_is_no_fault_of_the_file() -> None:
    with Converter(python="/bin/false") as converter, pytest.raises(ConverterDown):
        converter.convert("a.txt", b"x")


def children() -> set[int]:
    """Processes that this one has started and that open attachments."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            is_ours = b"indexer.attachments.child" in (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if is_ours and int(parent) == os.getpid():
            found.add(int(folder.name))
    return found
