"""The smallest parts of evidence that can be quoted."""

from __future__ import annotations

from typing import Any

import pytest
from wiki import hit, page, piece, row

from core.models import Kind
from worker.units import units


def texts(text: str, **more: Any) -> list[str]:
    return [unit.text for unit in units([hit(piece(text, **more))])]


@pytest.mark.parametrize(
    ("passage", "sentences"),
    [
        ("It runs. It stops! Does it? Yes.", ["It runs.", "It stops!", "Does it?", "Yes."]),
        ("Am 15. November beginnt es. Danach ist Ruhe.", ["Am 15. November beginnt es.", "Danach ist Ruhe."]),
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
    assert texts("make all make test", kind=Kind.CODE, raw="make all\n  make test") == ["make all\n  make test"]


def test_a_row_is_quoted_whole_with_its_cells() -> None:
    (unit,) = units([hit(row(1, Member="Ben. And Co.", Task="Travel"))])
    assert unit.is_row
    assert unit.cells == (("Member", "Ben. And Co."), ("Task", "Travel"))


def test_a_unit_carries_the_place_of_its_evidence() -> None:
    assert [unit.number for unit in units([hit("One. Two."), hit("Three.")])] == [1, 1, 2]


def test_title_and_headings_say_what_a_unit_is_about() -> None:
    (unit,) = units([hit(piece("Ask finance.", heading_path=("Travel", "Hotels")), page(title="Handbook"))])
    assert {"handbook", "travel", "hotel"} <= unit.context_terms
    assert unit.own_terms == {"ask", "financ"}
