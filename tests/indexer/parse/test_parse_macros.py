"""One claim per macro: what it becomes, and that its parameters never become text."""

from __future__ import annotations

import pytest
from storage_pages import macro, pieces, table, texts

from core.models import Kind
from indexer.parse import ChildPage, ChildPages, Code, Edge, Passage, Site, parse

CRANES, LOCKS = ChildPage("1", "Cranes"), ChildPage("2", "Locks")
CHILDREN = Site(children=(CRANES, LOCKS))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("info", "Info"),
        ("tip", "Tip"),
        ("note", "Note"),
        ("warning", "Warning"),
        ("panel", "Panel"),
    ],
)
def test_a_panel_says_its_kind_its_title_and_its_body(name: str, kind: str) -> None:
    (piece,) = pieces(
        macro(name, "<p>Stand back.</p>", title="Crane moves", icon="false", bgColor="#eee")
    )
    assert piece.text == f"{kind}: Crane moves: Stand back."


def test_a_panel_labels_everything_inside_it_and_nothing_after() -> None:
    storage = (
        macro("warning", f"<p>Hot.</p><ul><li>steam</li></ul>{macro('code', plain='off')}")
        + "<p>Cold.</p>"
    )
    assert [block.label for block in parse(storage).blocks] == ["Warning", "Warning", "Warning", ""]


def test_a_panel_with_only_a_title_says_it() -> None:
    assert texts(macro("info", title="Closed on Sundays")) == ["Closed on Sundays"]


def test_an_excerpt_is_marked_as_a_summary() -> None:
    assert texts(macro("excerpt", "<p>We lift ships.</p>", hidden="true")) == [
        "Summary: We lift ships."
    ]


def test_an_expand_title_is_a_heading_without_an_anchor() -> None:
    storage = (
        f"<h2>Locks</h2>{macro('expand', '<p>Pump first.</p>', title='When dry')}<p>After.</p>"
    )
    inside, after = parse(storage).blocks
    assert (inside.heading_path, inside.anchor) == (("Locks", "When dry"), "Locks")
    assert after.heading_path == ("Locks",)


def test_headings_inside_an_expand_end_with_it() -> None:
    storage = f"<h2>Locks</h2>{macro('expand', '<h1>Inner</h1><p>a</p>', title='More')}<p>b</p>"
    assert [block.heading_path for block in parse(storage).blocks] == [
        ("Locks", "More", "Inner"),
        ("Locks",),
    ]


def test_an_expand_in_a_cell_keeps_its_title() -> None:
    assert (
        "Details; hidden text"
        in pieces(table(f"a | {macro('expand', '<p>hidden text</p>', title='Details')}"), Kind.ROW)[
            0
        ].text
    )


def test_an_expand_without_a_body_keeps_its_title() -> None:
    assert texts(macro("expand", title="Nothing yet")) == ["Nothing yet"]


def test_code_keeps_its_newlines_language_and_title() -> None:
    storage = macro(
        "code",
        plain="if a &lt; b {\n\tgo()\n}",
        language="go",
        title="main.go",
        theme="Midnight",
        linenumbers="true",
    )
    assert parse(storage).blocks == (
        Code("if a &lt; b {\n\tgo()\n}", language="go", title="main.go"),
    )
    (piece,) = pieces(storage)
    assert piece.kind == Kind.CODE
    assert piece.code is not None
    assert piece.code.fenced == "main.go\n```go\nif a &lt; b {\n\tgo()\n}\n```"


def test_noformat_is_code_and_keeps_all_white_space_but_empty_lines_around_it() -> None:
    storage = macro("noformat", plain="\n \n  as is  \n\n\t here \n \n")
    assert parse(storage).blocks == (Code("  as is  \n\n\t here "),)


@pytest.mark.parametrize(
    "name",
    [
        "toc",
        "recently-updated",
        "contributors",
        "livesearch",
        "content-report-table",
        "detailssummary",
    ],
)
def test_listings_of_other_pages_are_no_text(name: str) -> None:
    assert texts(macro(name, spaces="OPS", cql="label = x", maxLevel="3")) == []


@pytest.mark.parametrize("name", ["children", "pagetree"])
def test_child_pages_come_from_the_manifest(name: str) -> None:
    storage = f"<p>Read on:</p><p>{macro(name, all='true', sort='title')}</p>"
    assert parse(storage, site=CHILDREN).blocks[1] == ChildPages(
        (CRANES, LOCKS), lead_in="Read on:"
    )
    (piece,) = pieces(storage, Kind.CHILD_PAGES, site=CHILDREN)
    assert piece.text == "Read on:\nChild pages: Cranes; Locks"


def test_without_a_manifest_child_pages_are_nothing() -> None:
    assert texts(macro("children")) == []


@pytest.mark.parametrize("name", ["include", "excerpt-include"])
def test_an_include_is_an_edge_and_a_pointer(name: str) -> None:
    target = '<ac:link><ri:page ri:content-title="Safety rules" ri:space-key="HSE"/></ac:link>'
    storage = (
        f'<ac:structured-macro ac:name="{name}">'
        f'<ac:parameter ac:name="">{target}</ac:parameter></ac:structured-macro>'
    )
    assert texts(storage) == ["[included from: Safety rules]"]
    assert parse(storage).edges == (Edge("include", "Safety rules", "HSE"),)


def test_page_properties_are_pairs() -> None:
    storage = macro(
        "details",
        table("!Owner | Ana Lima", "!State | " + macro("status", title="ON TIME", colour="Green")),
    )
    rows = pieces(storage, Kind.ROW)
    assert [row.cells for row in rows] == [(("Owner", "Ana Lima"),), (("State", "[ON TIME]"),)]
    assert pieces(storage, Kind.TABLE)[0].text.startswith("Page properties\n")


def test_a_status_is_its_title_in_brackets() -> None:
    assert texts(f"<p>Crane 4 {macro('status', title='Broken', colour='Red')}</p>") == [
        "Crane 4 [Broken]"
    ]


def test_a_status_without_a_title_is_its_colour() -> None:
    assert texts(f"<p>{macro('status', colour='Red')}</p>") == ["[RED]"]


def test_jira_is_the_key_or_the_query() -> None:
    one = macro("jira", server="Jira", serverId="87e6", columns="key,summary", key="CRANE-12")
    many = macro("jira", server="Jira", jqlQuery="project = CRANE", maximumIssues="20")
    assert texts(f"<p>See {one} and {many}</p>") == ["See CRANE-12 and [jira: project = CRANE]"]


def file_macro(name: str) -> str:
    """The markup of a macro that shows an attachment."""
    target = (
        '<ri:attachment ri:filename="plan.pdf">'
        '<ri:content-entity ri:content-id="27"/></ri:attachment>'
    )
    height = '<ac:parameter ac:name="height">250</ac:parameter>'
    return (
        f'<ac:structured-macro ac:name="{name}">'
        f'<ac:parameter ac:name="name">{target}</ac:parameter>{height}</ac:structured-macro>'
    )


@pytest.mark.parametrize(
    ("storage", "expected"),
    [
        (file_macro("view-file"), "[file: plan.pdf]"),
        (file_macro("multimedia"), "[media: plan.pdf]"),
        (
            '<ac:structured-macro ac:name="widget"><ac:parameter ac:name="url">'
            '<ri:url ri:value="https://example.org/v"/></ac:parameter>'
            "</ac:structured-macro>",
            "[widget: https://example.org/v]",
        ),
        (macro("drawio", diagramName="harbour", revision="7", width="900"), "[diagram: harbour]"),
        (macro("gliffy", name="locks", size="L"), "[diagram: locks]"),
    ],
)
def test_a_file_or_diagram_is_its_name(storage: str, expected: str) -> None:
    assert texts(f"<p>{storage}</p>") == [expected]


def test_an_anchor_is_an_id_for_what_follows() -> None:
    anchor = (
        '<ac:structured-macro ac:name="anchor">'
        '<ac:parameter ac:name="">limits</ac:parameter></ac:structured-macro>'
    )
    above, below = parse(f"<h2>Load</h2><p>a</p><p>{anchor}</p><p>b</p>").blocks
    assert (above.anchor, below.anchor) == ("Load", "limits")


def test_a_profile_is_a_name() -> None:
    person = '<ac:parameter ac:name="User"><ri:user ri:userkey="ff80"/></ac:parameter>'
    storage = (
        f'<p><ac:structured-macro ac:name="profile-picture">{person}</ac:structured-macro></p>'
    )
    assert texts(storage, site=Site(people={"ff80": "Bo Chen"})) == ["@Bo Chen"]


def test_a_chart_is_its_title_and_its_table() -> None:
    (piece,) = pieces(
        macro("chart", table("!Year | !Ships", "2023 | 41"), title="Arrivals", type="pie"),
        Kind.TABLE,
    )
    assert piece.text == "Chart: Arrivals\nYear | Ships\n2023 | 41"


def test_markdown_is_paragraphs() -> None:
    assert texts(macro("markdown", plain="# Title\n\nSome *words*")) == ["# Title", "Some *words*"]


def test_columns_and_sections_are_transparent() -> None:
    assert texts(
        macro("section", macro("column", "<p>a</p>", width="50%") + macro("column", "<p>b</p>"))
    ) == ["a", "b"]


def test_an_inline_macro_does_not_break_its_sentence() -> None:
    assert texts(f"<p>Sentence with {macro('bgcolor', 'colour', content='red')} in it</p>") == [
        "Sentence with colour in it"
    ]


def test_an_unknown_macro_is_its_body_under_a_marker() -> None:
    assert texts(macro("tide-clock", "<p>High at noon</p>", port="Hamburg", key="9x")) == [
        "[tide-clock]",
        "High at noon",
    ]


def test_the_plain_text_of_an_unknown_macro_keeps_its_lines() -> None:
    assert parse(macro("plantuml", plain="a -> b\nb -> c")).blocks == (
        Passage("[plantuml]"),
        Code("a -> b\nb -> c", language="plantuml", lead_in="[plantuml]"),
    )
