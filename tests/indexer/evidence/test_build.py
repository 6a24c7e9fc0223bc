"""A parsed page as evidence: kinds, ids, places, neighbours and sizes."""

from __future__ import annotations

from pathlib import Path

from storage_pages import macro, page, pieces, table

from core.models import Kind
from core.neighbours import CHARACTERS
from indexer.evidence.build import evidence
from indexer.evidence.chunk import PIECE_WORDS
from indexer.parse import ChildPage, Site, parse
from indexer.parse.document.sentences import count

RUNBOOK = (Path(__file__).parents[1] / "fixtures" / "crane-runbook.xml").read_text()
SITE = Site(people={"5f0c": "Ana Lima"}, children=(ChildPage("1", "Locks"), ChildPage("2", "Tugs")))


def sentences(number: int) -> str:
    """Sentences of six words, numbered."""
    return " ".join(f"Crane number {n} lifts heavy loads." for n in range(number))


def test_a_page_becomes_every_kind_of_evidence_in_reading_order() -> None:
    found = pieces(RUNBOOK, site=SITE)
    assert {piece.kind for piece in found} == set(Kind) - {
        Kind.PLACE
    }  # which no page has: see worker.entities
    assert [piece.position for piece in found] == list(range(len(found)))
    assert len({piece.id for piece in found}) == len(found)


def test_a_piece_knows_its_headings_and_its_anchor() -> None:
    (code,) = pieces(RUNBOOK, Kind.CODE, site=SITE)
    assert (code.heading_path, code.anchor) == (("Before a lift", "Brake test"), "Brake-test")


def test_a_row_keeps_its_column_names_and_its_place() -> None:
    row = pieces(RUNBOOK, Kind.ROW, site=SITE)[1]
    assert row.cells == (
        ("Crane", "K5"),
        ("Load › calm", "9 t"),
        ("Load › storm", "Fail; Brake tripped on restart (red)"),
    )
    assert row.text == (
        "Row 2 in Table 1 (North dock): Crane is K5, and Load › calm is 9 t, and Load › storm is "
        "Fail; Brake tripped on restart (red)"
    )
    assert (row.table_number, row.row) == (1, 2)
    assert row.table is not None
    assert row.table.rows[0].cells == ("K5", "9 t", "Fail; Brake tripped on restart (red)")


def test_no_parameter_is_ever_text() -> None:
    shown = " ".join(piece.model_dump_json() for piece in pieces(RUNBOOK, site=SITE))
    assert "PARAMETER" not in shown


def test_paragraphs_of_a_section_share_a_piece() -> None:
    (piece,) = pieces("<p>One.</p><p>Two.</p>")
    assert piece.text == "One.\nTwo."


def test_long_text_is_cut_between_paragraphs_then_between_sentences() -> None:
    found = pieces(f"<p>Short.</p><p>{sentences(40)}</p>")
    assert all(count(piece.text) <= PIECE_WORDS * 1.25 for piece in found)
    assert all(piece.text.endswith(".") for piece in found)
    assert " ".join(" ".join(piece.text for piece in found).split()) == f"Short. {sentences(40)}"


def test_a_sentence_without_end_is_cut_between_words() -> None:
    words = [f"w{n}" for n in range(500)]
    assert " ".join(piece.text for piece in pieces(f"<p>{' '.join(words)}</p>")).split() == words


def test_text_without_spaces_is_cut_too() -> None:
    text = "配置手順を確認してください。" * 40
    found = pieces(f"<p>{text}</p>")
    assert len(found) > 3
    assert "".join(piece.text for piece in found).replace(" ", "") == text


def test_every_piece_of_a_long_panel_is_labelled() -> None:
    found = pieces(macro("warning", f"<p>{sentences(40)}</p>"))
    assert len(found) > 1
    assert all(piece.text.startswith("Warning: ") for piece in found)


def test_code_of_a_screen_is_whole() -> None:
    code = "\n".join(f"step_{n}()" for n in range(300))
    (piece,) = pieces(macro("code", plain=code))
    assert piece.text == code


def test_a_long_list_repeats_its_lead_in() -> None:
    items = "".join(f"<li>{sentences(4)}</li>" for _ in range(12))
    found = pieces(f"<p>You need:</p><ul>{items}</ul>", Kind.LIST)
    assert len(found) == 4
    assert all(piece.text.startswith("You need:\n- Crane") for piece in found)


def test_a_paragraph_that_only_announces_a_list_is_no_piece_of_its_own() -> None:
    (piece,) = pieces("<p>You need:</p><ul><li>rope</li></ul>")
    assert (piece.kind, piece.text) == (Kind.LIST, "You need:\n- rope")


def test_a_long_table_repeats_its_header() -> None:
    found = pieces(
        table("!Crane | !Note", *(f"K{n} | {sentences(5)}" for n in range(20))), Kind.TABLE
    )
    assert len(found) > 2
    assert all(piece.text.startswith("Crane | Note\nK") for piece in found)


def test_a_long_row_is_split_by_columns_and_repeats_its_key() -> None:
    first, second = pieces(
        table("!Crane | !A | !B", f"K4 | {sentences(25)} | {sentences(25)}"), Kind.ROW
    )
    assert first.text.startswith("Row 1 in Table 1: Crane is K4, and A is Crane number 0")
    assert second.text.startswith("Row 1 in Table 1: Crane is K4, and B is Crane number 0")
    assert [name for name, _ in first.cells + second.cells] == ["Crane", "A", "Crane", "B"]


def test_a_piece_of_a_long_row_holds_the_cells_that_it_says_and_their_columns() -> None:
    found = pieces(table("!Crane | !A | !B", f"K4 | {sentences(25)} | {sentences(25)}"), Kind.ROW)
    slices = [piece.table for piece in found if piece.table]
    assert [each.columns for each in slices] == [(0, 1), (0, 2)]
    assert [each.rows[0].cells[1:] for each in slices] == [(sentences(25), ""), ("", sentences(25))]


def test_a_part_of_a_long_table_holds_its_own_rows() -> None:
    rows = [f"K{n} | {sentences(5)}" for n in range(20)]
    found = pieces(table("!Crane | !Note", *rows), Kind.TABLE)
    numbers = [[row.number for row in part.table.rows] for part in found if part.table]
    assert len(numbers) > 2
    assert [number for part in numbers for number in part] == list(range(1, 21))


def test_a_list_keeps_its_items_and_code_its_language() -> None:
    (items,) = pieces("<p>You need:</p><ul><li>rope<ul><li>long</li></ul></li></ul>", Kind.LIST)
    assert [(item.depth, item.text) for item in items.items] == [
        (-1, "You need:"),
        (0, "rope"),
        (1, "long"),
    ]
    (code,) = pieces(macro("code", plain="go", language="sh"))
    assert code.code is not None
    assert (code.code.language, code.code.text) == ("sh", "go")


def test_a_neighbour_names_its_piece_and_the_rows_it_shows() -> None:
    whole, one, two, below = pieces(f"{table('!A | !B', '1 | 2', '3 | 4')}<p>Below.</p>")
    assert below.before.id == whole.id
    assert [line.row for line in below.before.lines] == [None, 1, 2]
    assert (two.before.id, two.before.table, two.before.lines[0].row) == (one.id, 1, 1)


def test_a_table_of_a_comment_has_a_number_of_its_own_behind_an_empty_table() -> None:
    of_page = parse(table("A B", "1 2") + table() + table("A B", "3 4"))
    of_comment = parse(table("A B", "5 6"))
    found = evidence(page(), of_page, [("Comment", of_comment)])
    assert [piece.table_number for piece in found if piece.kind is Kind.TABLE] == [1, 3, 4]


def test_an_empty_row_is_no_evidence_and_keeps_its_number() -> None:
    assert [piece.row for piece in pieces(table("!A | !B", "1 | 2", " | ", "3 | 4"), Kind.ROW)] == [
        1,
        3,
    ]


def test_a_piece_knows_what_stands_before_and_after() -> None:
    storage = f"<p>Above.</p>{table('!A | !B', '1 | 2', '3 | 4')}<ul><li>below</li></ul>"
    above, whole, one, two, below = pieces(storage)
    assert (above.before.text, above.after.text) == ("", whole.text.replace("\n", " "))
    assert (whole.before.text, whole.after.text) == ("Above.", "- below")
    assert (one.before.text, one.after.text) == ("Above.", two.text)
    assert (two.before.text, two.after.text) == (one.text, "- below")
    assert below.before.text == whole.text.replace("\n", " ")


def test_neighbours_are_shortened_between_words() -> None:
    storage = f"<p>{sentences(10)}</p><h2>Mid</h2><p>Middle.</p><h2>End</h2><p>{sentences(10)}</p>"
    middle = pieces(storage)[1]
    assert middle.before.text.startswith("…")
    assert middle.before.text.endswith("Crane number 9 lifts heavy loads.")
    assert middle.after.text.endswith("…")
    assert max(len(middle.before.text), len(middle.after.text)) <= CHARACTERS + 1


def test_unchanged_pieces_keep_their_ids() -> None:
    old = pieces("<h1>A</h1><p>one</p><h1>B</h1><p>two</p>")
    new = pieces("<h1>Z</h1><p>zero</p><h1>A</h1><p>one</p><h1>B</h1><p>two and more</p>")
    assert new[1].id == old[0].id
    assert new[2].id != old[1].id


def test_repeats_are_told_apart_in_order() -> None:
    one, two, three = (
        piece.id
        for piece in pieces(
            "<p>same</p><ul><li>x</li></ul><p>same</p><ul><li>x</li></ul><p>same</p>"
        )
        if piece.kind == "passage"
    )
    assert (two, three) == (f"{one}:2", f"{one}:3")


def test_an_id_names_its_page_and_its_kind() -> None:
    (piece,) = evidence(page("7"), parse("<p>x</p>"))
    assert piece.id.startswith("confluence:7:passage:")
    assert piece.page_id == "7"
