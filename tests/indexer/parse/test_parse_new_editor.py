"""Tabs, formulas, layouts, and what the new editor stores beside words."""

from __future__ import annotations

import pytest
from storage_pages import macro, pieces, texts

from indexer.parse import Code, Site, parse
from indexer.parse.formats import FORMATS

Placed = list[tuple[str, tuple[str, ...]]]


def placed(storage: str) -> Placed:
    """Each piece's text and the headings that it stands under."""
    return [(piece.text, piece.heading_path) for piece in pieces(storage)]


@pytest.mark.parametrize(
    ("group", "tab", "key"),
    [
        ("ui-tabs", "ui-tab", "title"),
        ("tab-group", "tab", "title"),
        ("deck", "card", "label"),
        ("cfm-tabs", "cfm-tabs-page", "tabsPageTitle"),
        ("localtabgroup", "localtab", "title"),
    ],
)
def test_a_tab_is_under_its_title(group: str, tab: str, key: str) -> None:
    storage = "<h2>Install</h2>" + macro(
        group,
        macro(tab, "<p>Run brew.</p>", **{key: "macOS"})
        + macro(tab, "<p>Run apt.</p>", **{key: "Linux"}),
    )
    assert placed(storage) == [
        ("Run brew.", ("Install", "macOS")),
        ("Run apt.", ("Install", "Linux")),
    ]


def test_tabs_of_the_new_editor_have_their_titles_in_a_list_of_settings() -> None:
    frame = "<ac:adf-extension-frame><p>{}</p></ac:adf-extension-frame>"
    setting = (
        "<ac:adf-parameter-value><ac:adf-parameter key='title'>{}</ac:adf-parameter>"
        "<ac:adf-parameter key='id'>7</ac:adf-parameter></ac:adf-parameter-value>"
    )
    tabs = "".join(map(setting.format, ("macOS", "Linux")))
    storage = (
        "<ac:adf-extension><ac:adf-node type='multi-bodied-extension'>"
        "<ac:adf-attribute key='parameters'>"
        "<ac:adf-parameter key='extension-title'>Tabs</ac:adf-parameter>"
        f"<ac:adf-parameter key='tabs'>{tabs}</ac:adf-parameter></ac:adf-attribute>"
        f"<ac:adf-content>{frame.format('Run brew.')}{frame.format('Run apt.')}</ac:adf-content>"
        "</ac:adf-node><ac:adf-fallback><p>Run brew.</p></ac:adf-fallback></ac:adf-extension>"
    )
    assert placed(storage) == [("Run brew.", ("macOS",)), ("Run apt.", ("Linux",))]


def test_a_tab_in_a_cell_is_a_line_under_its_title() -> None:
    tabs = macro("ui-tabs", macro("ui-tab", "<p>Run brew.</p>", title="macOS"))
    assert texts(f"<ul><li>{tabs}</li></ul>") == ["macOS\nRun brew."]


@pytest.mark.parametrize("name", ["mathinline", "eazy-math-inline", "easy-math-inline"])
def test_a_formula_within_a_line_is_its_latex(name: str) -> None:
    formula = macro(name, body="a_1 * b_1 &lt; c", align="center")
    assert texts(f"<p>Where {formula} holds.</p>") == ["Where `a_1 * b_1 < c` holds."]


@pytest.mark.parametrize(
    "formula",
    [
        macro("mathblock", plain=r"\frac{a}{b}" + "\n= c"),
        macro("eazy-math-block", body=r"\frac{a}{b}" + "\n= c"),
    ],
)
def test_a_formula_of_its_own_is_code(formula: str) -> None:
    assert parse(formula).blocks == (Code("\\frac{a}{b}\n= c", language="latex"),)


def test_what_the_new_editor_stores_beside_words_is_no_text() -> None:
    storage = (
        "<ac:adf-extension><ac:adf-node type='extension'>"
        "<ac:adf-attribute key='parameters'><ac:adf-parameter key='chart-type'>BAR"
        "<ac:adf-parameter-value>1</ac:adf-parameter-value></ac:adf-parameter></ac:adf-attribute>"
        "<ac:adf-mark key='data-consumer'>"
        "<ac:adf-data-consumer-source>512623f8</ac:adf-data-consumer-source></ac:adf-mark>"
        "</ac:adf-node><ac:adf-fallback><p>Loads by crane</p></ac:adf-fallback></ac:adf-extension>"
        "<ac:image><ac:adf-mark key='border' size='1'>hidden</ac:adf-mark></ac:image>"
    )
    assert texts(storage) == ["Loads by crane", "[image]"]


def test_content_is_shown_and_its_fallback_is_not_however_deep() -> None:
    extension = (
        "<ac:adf-extension><ac:adf-node><ac:adf-content><p>once</p></ac:adf-content></ac:adf-node>"
        "<ac:adf-fallback><p>twice</p></ac:adf-fallback></ac:adf-extension>"
    )
    for depth in (0, 58, 70, 1200):
        assert texts(f"{'<div>' * depth}{extension}{'</div>' * depth}") == ["once"]


def cells(*contents: str) -> str:
    """A section of a layout."""
    inside = "".join(f"<ac:layout-cell>{each}</ac:layout-cell>" for each in contents)
    return f"<ac:layout-section>{inside}</ac:layout-section>"


def test_a_heading_in_one_cell_is_not_over_the_next_cell() -> None:
    storage = cells("<h2>North</h2><p>dock</p>", "<p>tide</p>") + cells("<p>after</p>")
    layout = f"<h1>Port</h1><ac:layout>{storage}</ac:layout>"
    assert placed(layout) == [
        ("dock", ("Port", "North")),
        ("tide", ("Port",)),
        ("after", ("Port",)),
    ]
    assert [piece.anchor for piece in pieces(layout)] == ["North", "Port", "Port"]


def test_a_heading_over_the_whole_page_is_over_the_columns_below() -> None:
    storage = (
        cells("<h2>Port</h2>")
        + cells("<h2>North</h2><p>dock</p>", "<h3>South</h3><p>quay</p>", "<h3>Last</h3>")
        + cells("<p>after</p>")
    )
    assert placed(f"<ac:layout>{storage}</ac:layout>") == [
        ("Port", ()),
        ("dock", ("North",)),
        ("quay", ("Port", "South")),
        ("Last", ("Port",)),
        ("after", ("Port",)),
    ]


def test_columns_of_the_old_editor_are_cells_too() -> None:
    columns = macro("column", "<h2>North</h2><p>dock</p>") + macro("column", "<p>tide</p>")
    assert placed(macro("section", columns)) == [("dock", ("North",)), ("tide", ())]


def test_headings_with_the_same_words_have_a_piece_and_an_anchor_each() -> None:
    storage = (
        "<h2>Test</h2><p>You need:</p><h2>Test</h2><ul><li>rope</li></ul><h2>Test</h2><p>done</p>"
    )
    found = [(piece.text, piece.anchor) for piece in pieces(storage)]
    assert found == [("You need:", "Test"), ("- rope", "Test.1"), ("done", "Test.2")]


def test_an_anchor_that_a_heading_spells_is_not_given_twice() -> None:
    storage = "<h2>A</h2><p>1</p><h2>A.1</h2><p>2</p><h2>A</h2><p>3</p>"
    assert [block.anchor for block in parse(storage).blocks] == ["A", "A.1", "A.2"]


def test_a_heading_in_a_cell_takes_its_anchor() -> None:
    storage = "<table><tr><td><h2>A</h2></td><td>x</td></tr></table><h2>A</h2><p>y</p>"
    assert parse(storage).blocks[-1].anchor == "A.1"


def test_data_center_has_the_title_of_the_page_in_its_anchors() -> None:
    anchor = macro("anchor", **{"": "the top"})
    storage = f"<h2>On call</h2><p>x</p><h2>On call</h2><p>y</p>{anchor}<p>z</p>"
    of_datacenter = FORMATS["confluence-storage-datacenter"]
    blocks = of_datacenter.parse(storage, site=Site(page_title="Crane four")).blocks
    assert [block.anchor for block in blocks] == [
        "Cranefour-Oncall",
        "Cranefour-Oncall.1",
        "Cranefour-thetop",
    ]


def test_what_says_something_without_words_says_it_at_any_depth() -> None:
    inside = (
        "<p>Until <time datetime='2026-05-01'/> see "
        "<ac:link><ri:page ri:content-title='Rota'/></ac:link> "
        f"{macro('status', title='DONE')}<s>not so</s></p>"
        f"{macro('code', plain='a' + chr(10) + '  b')}{macro('expand', '<p>more</p>', title='Why')}"
        f"{macro('info', '<p>c</p>', title='hm')}<ul><li>one</li><li>two</li></ul>"
    )
    for depth in (65, 200, 900):
        assert texts(f"{'<div>' * depth}{inside}{'</div>' * depth}") == [
            "Until 2026-05-01 see Rota [DONE] ~~not so~~",
            "a\n  b",
            "Why",
            "more",
            "hm",
            "c",
            "one",
            "two",
        ]


def test_elements_nested_a_hundred_thousand_deep_lose_no_word_and_keep_their_place() -> None:
    count = 100_000
    opened = "".join(f"<div>a{n} " for n in range(count))
    closed = "".join(f"</div>z{n} " for n in range(count))
    shown = " ".join(texts(f"<p>before</p>{opened}{closed}<p>after</p>")).split()
    assert (shown[0], shown[1], shown[-1], len(shown)) == ("before", "a0", "after", 2 * count + 2)


def test_no_setting_becomes_text_however_deep_it_lies() -> None:
    deep = macro("tide-clock", "<p>body</p>", port="PARAMETER")
    shown = " ".join(texts(f"{'<div>' * 5000}{deep}{'</div>' * 5000}"))
    assert "body" in shown
    assert "PARAMETER" not in shown
