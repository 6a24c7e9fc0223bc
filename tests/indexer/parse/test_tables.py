"""One claim per rule about what the rows and columns of a table mean."""

from __future__ import annotations

import pytest
from storage_pages import macro, pieces, table, texts

from core.models import Kind
from core.structure import TableRow
from indexer.parse import Table, parse


def only_table(storage: str) -> Table:
    """The one table of a page."""
    (block,) = (each for each in parse(storage).blocks if isinstance(each, Table))
    return block


def test_header_cells_name_the_columns() -> None:
    assert only_table(table("!Crane | !Load", "K4 | 12 t")).header == ("Crane", "Load")


def test_a_thead_names_the_columns_even_with_plain_cells() -> None:
    head = "<thead><tr><td>Crane</td><td>Load</td></tr></thead>"
    assert only_table(table("K4 | 12 t", head=head)) == Table(
        1, ("Crane", "Load"), (TableRow(number=1, cells=("K4", "12 t")),)
    )


def test_a_bold_first_row_names_the_columns() -> None:
    found = only_table(table("<p><strong>Crane</strong></p> | <strong>Load</strong>", "K4 | 12 t"))
    assert (found.header, len(found.rows)) == (("Crane", "Load"), 1)


def test_a_single_column_with_a_bold_first_row_has_a_header() -> None:
    (row,) = pieces(table("<p><strong>Checks</strong></p>", "Brake holds"), Kind.ROW)
    assert row.text == "Row 1 in Table 1: Checks is Brake holds"


def test_a_coloured_first_row_names_the_columns() -> None:
    head = (
        '<tr><td data-highlight-colour="grey">Crane</td><td class="highlight-grey">Load</td></tr>'
    )
    assert only_table(
        f"<table><tbody>{head}<tr><td>K4</td><td>12 t</td></tr></tbody></table>"
    ).header == ("Crane", "Load")


def test_a_table_that_is_all_bold_has_no_header() -> None:
    assert only_table(table("<b>a</b> | <b>b</b>", "<b>c</b> | <b>d</b>")).header == ("", "")


def test_several_header_rows_join() -> None:
    storage = (
        '<table><tbody><tr><th rowspan="2">Crane</th><th colspan="2">Load</th></tr><tr><th>'
        "<p>calm</p><p>0 to 3</p></th><th>storm</th></tr>"
        "<tr><td>K4</td><td>12 t</td><td>3 t</td></tr></tbody></table>"
    )
    assert only_table(storage).header == ("Crane", "Load › calm 0 to 3", "Load › storm")


def test_a_merged_row_below_the_header_is_a_heading_of_rows() -> None:
    storage = (
        "<table><tbody><tr><th>Berth</th><th>Fee</th></tr>"
        '<tr><th colspan="2">North</th></tr><tr><td>N1</td><td>40</td></tr>'
        '<tr><th colspan="2">South</th></tr><tr><td>S1</td><td>30</td></tr></tbody></table>'
    )
    found = only_table(storage)
    assert found.header == ("Berth", "Fee")
    assert [(row.group, row.cells[0]) for row in found.rows] == [("North", "N1"), ("South", "S1")]


def test_row_spans_are_filled_in() -> None:
    storage = (
        '<table><tbody><tr><th>Dock</th><th>Crane</th></tr><tr><td rowspan="2">North</td>'
        "<td>K4</td></tr><tr><td>K5</td></tr>"
        "<tr><td>South</td><td>K6</td></tr></tbody></table>"
    )
    assert [row.cells for row in only_table(storage).rows] == [
        ("North", "K4"),
        ("North", "K5"),
        ("South", "K6"),
    ]


def test_column_spans_are_filled_in() -> None:
    storage = (
        '<table><tbody><tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan="2">x</td>'
        "<td>y</td></tr></tbody></table>"
    )
    assert only_table(storage).rows[0].cells == ("x", "x", "y")


@pytest.mark.parametrize("span", ["0", "99999", "-3", "two", ""])
def test_senseless_spans_lose_nothing(span: str) -> None:
    cell = f'<td colspan="{span}" rowspan="{span}">a</td>'
    storage = (
        f"<table><tbody><tr>{cell}<td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>"
    )
    assert set("abcd") <= set(pieces(storage, Kind.TABLE)[0].text)


def test_a_first_column_of_header_cells_names_the_rows() -> None:
    found = only_table(table("! | !2023 | !2024", "!Ships | 41 | 52", "!Cranes | 4 | 5"))
    assert found.header_column
    assert found.header == ("", "2023", "2024")


def test_header_row_and_header_column_meet_in_a_row() -> None:
    (row,) = pieces(table("! | !2023 | !2024", "!Ships | 41 | 52"), Kind.ROW)
    assert row.text == "Row 1 in Table 1, Ships: 2023 is 41, and 2024 is 52"


def test_a_merged_first_row_is_the_title() -> None:
    head = '<thead><tr><td colspan="2"><strong>Cranes by dock</strong></td></tr></thead>'
    found = only_table(table("!Dock | !Crane", "North | K4", head=head))
    assert (found.caption, found.header, len(found.rows)) == (
        "Cranes by dock",
        ("Dock", "Crane"),
        1,
    )


def test_a_caption_is_the_title() -> None:
    assert only_table(table("!A | !B", "1 | 2", head="<caption>Loads</caption>")).caption == "Loads"


MERGED = '<tr><td colspan="2">{}</td></tr>'
GROUPS = (
    "<table><tbody><tr><th>Crane</th><th>Load</th></tr>"
    + MERGED.format("North dock")
    + "<tr><td>K4</td><td>12 t</td></tr><tr><td>K5</td><td>9 t</td></tr>"
    + MERGED.format("South dock")
    + "<tr><td>K6</td><td>1 t</td></tr>"
    + MERGED.format("All loads in calm weather")
    + "</tbody></table>"
)


def test_a_merged_row_labels_the_rows_under_it() -> None:
    assert [row.group for row in only_table(GROUPS).rows[:3]] == [
        "North dock",
        "North dock",
        "South dock",
    ]
    assert (
        pieces(GROUPS, Kind.ROW)[2].text
        == "Row 3 in Table 1 (South dock): Crane is K6, and Load is 1 t"
    )


def test_a_merged_row_with_nothing_under_it_stands_for_itself() -> None:
    assert pieces(GROUPS, Kind.ROW)[3].text == "Row 4 in Table 1: All loads in calm weather"


def test_a_numbering_column_is_the_row_number() -> None:
    storage = (
        '<table><tbody><tr><th class="numberingColumn"></th><th>Crane</th></tr>'
        '<tr><td class="numberingColumn">1</td><td>K4</td></tr><tr>'
        '<td class="numberingColumn">2</td><td>K5</td></tr></tbody></table>'
    )
    assert only_table(storage) == Table(
        1, ("Crane",), (TableRow(number=1, cells=("K4",)), TableRow(number=2, cells=("K5",)))
    )


@pytest.mark.parametrize("name", ["#", "No.", ""])
def test_a_column_that_only_counts_is_the_row_number(name: str) -> None:
    assert only_table(table(f"!{name} | !Crane", "1 | K4", "2. | K5")).header == ("Crane",)


def test_a_column_of_other_numbers_stays() -> None:
    assert only_table(table("!# | !Crane", "7 | K4", "9 | K5")).header == ("#", "Crane")


def numbered(*cells: str, head: str = "") -> Table:
    """A table whose first column is of the editor's numbering kind."""
    rows = "".join(
        f'<tr><td class="numberingColumn">{cell}</td><td>K{n}</td><td>x</td></tr>'
        for n, cell in enumerate(cells)
    )
    return only_table(
        f'<table><tbody><tr><th class="numberingColumn">{head}</th><th>Crane</th>'
        f"<th>Dock</th></tr>{rows}</tbody></table>"
    )


def test_a_numbering_column_that_says_something_stays() -> None:
    assert numbered("", "").header == ("Crane", "Dock")
    assert numbered("1", "1a").header == ("", "Crane", "Dock")
    assert numbered("1", "2", head="Step").header == ("Step", "Crane", "Dock")


def test_numbers_go_on_past_merged_rows() -> None:
    first, second = (
        "<tr><td>1</td><td>K4</td><td>N</td></tr>",
        "<tr><td>2</td><td>K5</td><td>S</td></tr>",
    )
    merged = '<tr><td colspan="3">South</td></tr>'
    found = only_table(
        "<table><tbody><tr><th>#</th><th>Crane</th>"
        f"<th>Dock</th></tr>{first}{merged}{second}</tbody></table>"
    )
    assert found.rows == (
        TableRow(number=1, cells=("K4", "N")),
        TableRow(number=2, cells=("K5", "S"), group="South"),
    )


def test_two_columns_without_a_header_are_pairs() -> None:
    (first, second) = pieces(table("Owner | Ana Lima", "State | "), Kind.ROW)
    assert (first.text, first.cells) == (
        "Row 1 in Table 1: Owner: Ana Lima",
        (("Owner", "Ana Lima"),),
    )
    assert second.cells == (("State", ""),)


def test_columns_without_a_name_are_numbered() -> None:
    (row,) = pieces(table("a | b | c"), Kind.ROW)
    assert row.text == "Row 1 in Table 1: Column 1 is a, and Column 2 is b, and Column 3 is c"


def test_a_nested_table_is_its_own_evidence_after_its_table() -> None:
    storage = table(
        "!Dock | !Cranes", f"North | see {table('!Crane | !Load', 'K4 | 12 t')}"
    ) + table("!x | !y", "1 | 2")
    tables = [block for block in parse(storage).blocks if isinstance(block, Table)]
    assert [block.number for block in tables] == [1, 2, 3]
    assert tables[0].rows[0].cells == ("North", "see; [Table 2]")
    assert tables[1].rows[0].cells == ("K4", "12 t")


def test_a_table_in_a_list_comes_after_the_list() -> None:
    assert texts(f"<ul><li>Loads {table('!a | !b', '1 | 2')}</li></ul>") == [
        "Loads\n[Table 1]",
        "[Table 1]",
    ]


def coloured(*rows: tuple[str, str]) -> str:
    """A table of crane and state, whose states have colours."""
    cells = "".join(
        f'<tr><td>K{n}</td><td class="highlight-{colour}" '
        f'data-highlight-colour="{colour}">{text}</td></tr>'
        for n, (text, colour) in enumerate(rows, 1)
    )
    return f"<table><tbody><tr><th>Crane</th><th>State</th></tr>{cells}</tbody></table>"


def values(storage: str) -> list[str]:
    """The last cell of every row."""
    return [row.cells[-1] for row in only_table(storage).rows]


def test_an_empty_coloured_cell_is_its_colour() -> None:
    assert values(coloured(("<br/>", "green"), ("", "green"))) == ["(green)", "(green)"]


def test_one_colour_in_a_column_says_nothing() -> None:
    assert values(coloured(("Pass", "green"), ("Pass", "green"))) == ["Pass", "Pass"]


def test_two_colours_in_a_column_each_say_something() -> None:
    assert values(coloured(("Monday", "green"), ("Tuesday", "red"))) == [
        "Monday (green)",
        "Tuesday (red)",
    ]


def test_a_colour_that_the_text_names_is_not_repeated() -> None:
    assert values(coloured(("Green", "green"), ("red alert", "red"))) == ["Green", "red alert"]


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ('data-highlight-colour="#e3fcef"', "(green)"),
        ('data-highlight-colour="#ffebe6"', "(red)"),
        ('data-highlight-colour="#fffae6"', "(yellow)"),
        ('data-highlight-colour="#deebff"', "(blue)"),
        ('data-highlight-colour="#eae6ff"', "(purple)"),
        ('data-highlight-colour="#f4f5f7"', "(grey)"),
        ('data-highlight-colour="#ffffff"', ""),
        ('data-highlight-colour="transparent"', ""),
        ('style="background-color: rgb(255,0,0);"', "(red)"),
        ('bgcolor="#0f0"', "(green)"),
    ],
)
def test_colours_have_names(attribute: str, expected: str) -> None:
    storage = (
        "<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>K</td>"
        f"<td {attribute}></td></tr></tbody></table>"
    )
    assert values(storage) == [expected]


def test_a_cell_of_several_paragraphs_is_complete() -> None:
    cell = (
        "<p>Fail</p><p>Brake tripped<br/>twice.</p>"
        f"<p>{macro('jira', key='CRANE-7', server='J')}</p>"
    )
    assert (
        only_table(table("!Crane | !Test", f"K4 | {cell}")).rows[0].cells[1]
        == "Fail; Brake tripped twice. CRANE-7"
    )


def test_ticks_links_and_lists_in_cells_are_values() -> None:
    tick = '<ac:emoticon ac:name="tick"/>'
    storage = table(
        "!Crane | !Safe | !Parts",
        f"K4 | {tick} | <ul><li>hook</li><li>cable<ol><li>steel</li></ol></li></ul>",
    )
    assert only_table(storage).rows[0].cells == ("K4", "✓", "hook; cable; 1. steel")


def test_a_single_cell_is_only_a_frame() -> None:
    assert texts(table("<p>Mind the gap.</p>")) == ["Mind the gap."]


def test_an_empty_table_is_nothing() -> None:
    assert pieces("<table><tbody><tr><td> </td><td><br/></td></tr></tbody></table>") == []
    assert pieces("<table/>") == []


def test_a_table_of_headers_only_keeps_its_words() -> None:
    (piece,) = pieces(table("!Crane | !Load"))
    assert piece.text == "Crane | Load"


def test_stray_text_in_a_table_is_kept() -> None:
    storage = (
        "<table>one<tbody>two<tr>three<td>a</td><td>b</td>four</tr><p>five</p></tbody></table>"
    )
    assert " ".join(texts(storage)) == "[Table 1] one two three four five"


def test_a_row_that_is_too_short_or_too_long_keeps_its_cells() -> None:
    found = only_table(table("!A | !B", "1", "2 | 3 | 4"))
    assert [row.cells for row in found.rows] == [("1", "", ""), ("2", "3", "4")]
