"""Broken, hostile and unusual markup: nothing raises, nothing is lost, repairs are noted."""

from __future__ import annotations

import pytest
from storage_pages import page, texts

from indexer.evidence.build import evidence
from indexer.parse import Code, Edge, ListBlock, Passage, parse


def test_html_entities_are_characters() -> None:
    assert texts("<p>A&nbsp;to&nbsp;B &rarr; 5 &euro; &amp; more</p>") == ["A to B → 5 € & more"]


def test_well_formed_markup_has_no_notes() -> None:
    assert parse("<p>fine</p>").notes == ()


def test_broken_markup_is_recovered_and_noted() -> None:
    document = parse("<p>one</p></p><div><p>two <strong>three</p><p>four")
    assert [block.text for block in document.blocks if isinstance(block, Passage)] == [
        "one",
        "two three",
        "four",
    ]
    assert document.notes[0].startswith("recovered from broken markup")


@pytest.mark.parametrize(
    ("storage", "expected"),
    [
        ("<p>R&D at 3 < 5</p>", "R&D at 3 < 5"),
        ("<p>a<br>b</p>", "a b"),
        ("<p x='1' x='2'>five &euro; &unheard; of</p>", "five € &unheard; of"),
        ("<p>bell &#7;rings &#8364;</p></b>", "bell rings €"),
        ("<?xml version='1.0'?><p>declared</p>", "declared"),
        ("<p>a <!-- secret --> b</p></i>", "a b"),
        ("<p>ask <jane@example.org> now</p>", "ask <jane@example.org> now"),
        ("<p>a <!-- <b>secret</b> --> b</p></i>", "a b"),
        ("<p>a <![CDATA[<!-- not a comment -->]]> b</p></i>", "a <!-- not a comment --> b"),
        ("<p>a <!-- never ends</p>", "a <!-- never ends"),
        (
            "<p>closed</p class='x'><ac:parameter>no</ac:parameter x='1'><p>after</p>",
            "closed after",
        ),
        ("<table><col>one<tr><td>two</td><td>three</td></tr></table>", "one two three"),
        ("<p>see <ac:caption>under it</p>", "see under it"),
        ("<ul><ac:image><ac:caption>in a list</ac:caption></ul>", "[image: in a list]"),
    ],
)
def test_what_is_not_markup_stays_text(storage: str, expected: str) -> None:
    document = parse(storage)
    assert " ".join(" ".join(texts(storage)).split()) == expected
    assert document.notes


def test_an_unclosed_cdata_section_keeps_its_code() -> None:
    storage = '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[a < b'
    assert texts(storage) == ["a < b"]


def test_an_unknown_namespace_is_transparent() -> None:
    assert texts('<p>before <acme:box acme:kind="x">inside</acme:box> after</p>') == [
        "before inside after"
    ]


def test_an_unknown_element_is_transparent() -> None:
    assert texts("<p>before <shiny>inside</shiny> after</p>") == ["before inside after"]


def test_words_beside_the_body_of_a_code_macro_are_kept() -> None:
    storage = (
        '<ac:structured-macro ac:name="code">lost<ac:plain-text-body>'
        "<![CDATA[go]]></ac:plain-text-body> <p>too</p></ac:structured-macro>"
    )
    assert texts(storage) == ["lost", "too", "go"]


def test_below_the_deepest_level_words_keep_their_order() -> None:
    deep = "<b>one<i>two<u>three</u>four</i>five</b>six"
    assert texts(f"{'<div>' * 70}{deep}{'</div>' * 70}") == ["one two three four five six"]


def test_comments_are_not_text() -> None:
    assert texts("<p>a<!-- hidden --> b</p>") == ["a b"]


def test_control_and_invisible_characters_disappear() -> None:
    assert texts("<p>be\x07ll \u200bzero\ufeff so\xadft \ud800half</p>") == ["bell zero soft half"]


def test_nothing_expands() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><p>&b;</p>'
    assert "hahaha" not in " ".join(texts(bomb))


def test_no_file_is_read() -> None:
    attack = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><p>see &f;</p>'
    assert texts(attack)[-1] == "see &f;"


def test_right_to_left_and_cjk_text_survive() -> None:
    assert texts("<p>שלום עולם</p><p>配置手順を確認してください。</p>") == [
        "שלום עולם",
        "配置手順を確認してください。",
    ]


def test_a_page_without_visible_text_gives_no_evidence() -> None:
    for storage in (
        "",
        " \n ",
        "<p>&nbsp;</p>",
        "<p><br/></p><hr/>",
        '<ac:structured-macro ac:name="toc"/>',
    ):
        assert evidence(page(), parse(storage)) == ()


@pytest.mark.parametrize(
    "tag", ["ul", "li", "table", "td", "strong", "div", "ac:task-list", "ac:adf-node", "acme"]
)
def test_depth_never_breaks_the_walk(tag: str) -> None:
    for depth in (70, 900, 3000):
        storage = f"<{tag}>" * depth + "word" + f"</{tag}>" * depth
        assert "word" in " ".join(piece.text for piece in evidence(page(), parse(storage)))


def test_deep_lists_keep_every_level() -> None:
    depth = 25
    storage = "".join(f"<ul><li>level {n}" for n in range(depth)) + "</li></ul>" * depth
    (block,) = parse(storage).blocks
    assert isinstance(block, ListBlock)
    item = block.items[0]
    for _ in range(depth - 1):
        (item,) = item.children
    assert item.text == f"level {depth - 1}"


def test_cdata_inside_paragraphs_is_text() -> None:
    assert texts("<p><![CDATA[a <b> c]]></p>") == ["a <b> c"]


def test_code_with_a_cdata_end_is_whole() -> None:
    storage = (
        '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[x = a[b[0]]]]>'
        "<![CDATA[>1]]></ac:plain-text-body>"
        "</ac:structured-macro>"
    )
    assert parse(storage).blocks == (Code("x = a[b[0]]>1"),)


def test_links_are_recorded_once() -> None:
    link = '<ac:link><ri:page ri:content-title="Runbook"/></ac:link>'
    assert parse(f"<p>{link} {link}</p>").edges == (Edge("page", "Runbook"),)
