"""The place of a block: headings above it, pseudo-headings, anchors, and what announces it."""

from __future__ import annotations

import pytest
from storage_pages import macro, pieces, texts

from indexer.parse import Passage, parse


def paths(storage: str) -> list[tuple[str, ...]]:
    """The heading path of every block."""
    return [block.heading_path for block in parse(storage).blocks]


def test_headings_nest_by_level() -> None:
    storage = "<h1>A</h1><p>1</p><h3>B</h3><p>2</p><h2>C</h2><p>3</p><h1>D</h1><p>4</p>"
    assert paths(storage) == [("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_an_anchor_is_the_heading_with_dashes() -> None:
    (block,) = parse("<h2>Crane <em>four</em>:&nbsp;load</h2><p>x</p>").blocks
    assert (block.heading_path, block.anchor) == (("Crane four: load",), "Crane-four:-load")


def test_repeated_headings_get_numbered_anchors() -> None:
    storage = "<h2>Test</h2><p>a</p><h2>Test</h2><p>b</p><h2>Test</h2><p>c</p>"
    assert [block.anchor for block in parse(storage).blocks] == ["Test", "Test.1", "Test.2"]


def test_a_heading_with_nothing_under_it_is_a_passage() -> None:
    assert parse("<h1>A</h1><h2>B</h2><h2>C</h2><p>x</p><h2>D</h2>").blocks == (
        Passage("B", heading_path=("A",), anchor="B"),
        Passage("x", heading_path=("A", "C"), anchor="C"),
        Passage("D", heading_path=("A",), anchor="D"),
    )


def test_an_empty_heading_is_ignored() -> None:
    assert paths("<h1>A</h1><h2><br/></h2><p>x</p>") == [("A",)]


@pytest.mark.parametrize(
    "bold",
    [
        "<p><strong>Limits</strong></p>",
        "<p><span><b>Limits</b><br/></span></p>",
        "<p><strong>Lim</strong><b>its</b></p>",
    ],
)
def test_a_bold_paragraph_is_a_heading_without_an_anchor(bold: str) -> None:
    (block,) = parse(f"<h2>Crane</h2>{bold}<p>12 t</p>").blocks
    assert (block.heading_path, block.anchor) == (("Crane", "Limits"), "Crane")


def test_a_bold_paragraph_ends_at_the_next_heading() -> None:
    assert paths("<p><b>A</b></p><p>1</p><p><b>B</b></p><p>2</p><h2>C</h2><p>3</p>") == [
        ("A",),
        ("B",),
        ("C",),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<b>Never do this.</b>",
        "<b>Note</b> this",
        "<b>" + "very " * 13 + "long</b>",
        "<b>$</b>" + macro("toc"),
    ],
)
def test_a_bold_sentence_is_not_a_heading(text: str) -> None:
    assert len(texts(f"<p>{text}</p><p>x</p>")) == 2


def test_a_bold_paragraph_with_nothing_under_it_is_a_passage() -> None:
    assert texts("<p><strong>Only this</strong></p>") == ["Only this"]


def test_a_bold_paragraph_in_a_cell_or_an_item_is_text() -> None:
    assert texts("<ul><li><p><b>A</b></p></li></ul><p>x</p>") == ["A", "x"]


def test_headings_in_cells_are_text() -> None:
    storage = "<table><tr><td><h2>North</h2><p>dock</p></td><td>x</td></tr></table><p>after</p>"
    assert pieces(storage)[0].text == "North; dock | x"
    assert paths(storage) == [(), ()]


def test_a_list_a_table_and_code_know_what_announces_them() -> None:
    storage = (
        "<p>Some history. You need:</p><ul><li>rope</li></ul>"
        f"<p>Run:</p>{macro('code', plain='go')}"
    )
    assert [block.lead_in for block in parse(storage).blocks] == [
        "",
        "Some history. You need:",
        "",
        "Run:",
    ]


def test_of_a_long_paragraph_only_the_announcing_sentence_leads_in() -> None:
    storage = f"<p>{'History repeats itself often. ' * 12}You need:</p><ul><li>rope</li></ul>"
    assert parse(storage).blocks[1].lead_in == "You need:"


def test_a_paragraph_under_another_heading_announces_nothing() -> None:
    assert parse("<p>You need:</p><h2>Tools</h2><ul><li>rope</li></ul>").blocks[-1].lead_in == ""
