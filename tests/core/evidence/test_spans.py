"""The smallest parts of evidence that can be quoted."""

from __future__ import annotations

from typing import Any

import pytest
from wiki import hit, page, part, piece, row

from core.evidence.spans import spans_of
from core.models import Kind
from core.structure import CodeText, Neighbour, NeighbourLine


def texts(text: str, **more: Any) -> list[str]:
    return [span.text for span in spans_of([hit(piece(text, **more))])]


@pytest.mark.parametrize(
    ("passage", "sentences"),
    [
        ("It runs. It stops! Does it? Yes.", ["It runs.", "It stops!", "Does it?", "Yes."]),
        (
            "Am 15. November beginnt es. Danach ist Ruhe.",
            ["Am 15. November beginnt es.", "Danach ist Ruhe."],
        ),
        ("Version 9.0.2 is new. Use it.", ["Version 9.0.2 is new.", "Use it."]),
        ("Öffne es. Überall.", ["Öffne es.", "Überall."]),
        ("He said e.g. this one.\nA new line", ["He said e.g. this one.", "A new line"]),
    ],
)
def test_a_passage_is_quoted_by_sentences(passage: str, sentences: list[str]) -> None:
    assert texts(passage) == sentences


def test_a_list_is_quoted_by_items() -> None:
    assert texts("- Open it. Close it.\n- Go\n", kind=Kind.LIST) == ["- Open it. Close it.", "- Go"]


def test_code_is_quoted_whole_and_as_it_is_written() -> None:
    code = CodeText(text="make all\n  make test", language="sh")
    assert texts("make all make test", kind=Kind.CODE, code=code) == [
        "```sh\nmake all\n  make test\n```"
    ]


def test_a_row_is_quoted_whole_with_its_cells() -> None:
    (span,) = spans_of([hit(row(1, Member="Ben. And Co.", Task="Travel"))])
    assert span.is_row
    assert span.cells == (("Member", "Ben. And Co."), ("Task", "Travel"))


def test_a_span_carries_the_place_of_its_evidence() -> None:
    assert [span.number for span in spans_of([hit("One. Two."), hit("Three.")])] == [1, 1, 2]


def test_title_and_headings_say_what_a_span_is_about() -> None:
    (span,) = spans_of(
        [hit(piece("Ask finance.", heading_path=("Travel", "Hotels")), page(title="Handbook"))]
    )
    assert {"handbook", "travel", "hotel"} <= span.context_terms
    assert span.own_terms == {"ask", "financ"}


def test_an_item_knows_what_it_stands_under_and_what_stands_under_it() -> None:
    items = list(
        spans_of([hit(piece("You need:\n- a key\n  - of brass\n- a badge", kind=Kind.LIST))])
    )
    assert [(span.text, span.above, span.below) for span in items] == [
        ("You need:", (), ("- a key", "  - of brass", "- a badge")),
        ("- a key", ("You need:",), ("  - of brass",)),
        ("- of brass", ("You need:", "- a key"), ()),
        ("- a badge", ("You need:",), ()),
    ]


def test_a_table_is_quoted_by_its_rows() -> None:
    porto = row(2, City="Porto | Gaia", Limit="110 EUR\nper night")
    (span,) = spans_of([hit(part(row(1, City="South", Limit=""), porto, above="Limits:"))])
    assert span.cells == (("City", "Porto | Gaia"), ("Limit", "110 EUR; per night"))
    assert span.place == 2


def test_a_table_of_one_column_is_quoted_by_its_lines() -> None:
    spans = spans_of([hit(part(row(1, Crane="K4"), row(2, Crane="K5")))])
    assert [(span.text, span.is_row) for span in spans] == [
        ("Crane", False),
        ("K4", False),
        ("K5", False),
    ]


def test_a_list_behind_a_passage_belongs_to_its_last_sentence() -> None:
    lines = tuple(NeighbourLine(text=text) for text in ("- a key", "- a badge"))
    behind = Neighbour(lines=lines, is_list=True)
    first, last = spans_of([hit(piece("The gate is old. You need:", after=behind))])
    assert (first.below, last.below) == (("You need:",), ("- a key", "- a badge"))
