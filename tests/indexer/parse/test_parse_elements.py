"""One claim per element of the storage format: what it becomes, and what of it is never shown."""

from __future__ import annotations

import pytest
from storage_pages import macro, pieces, texts

from core.models import Kind
from indexer.parse import Code, Edge, Item, ListBlock, Passage, Site, TaskItem, TaskList, parse

PEOPLE = Site(people={"5f0c": "Ana Lima", "ff80": "Bo Chen"})


def test_a_paragraph_is_a_passage() -> None:
    assert texts("<p>One  <em>two</em>\n three</p>") == ["One two three"]


def test_a_line_break_is_a_newline_in_a_passage() -> None:
    assert parse("<p>One<br/>two</p>").blocks == (Passage("One\ntwo"),)


def test_inline_formatting_does_not_tear_words() -> None:
    assert texts("<p>un<strong>believ</strong>able H<sub>2</sub>O <code>ls -l</code></p>") == [
        "unbelievable H2O ls -l"
    ]


def test_inline_comment_markers_are_transparent() -> None:
    assert texts(
        '<p>a <ac:inline-comment-marker ac:ref="1">noted</ac:inline-comment-marker> word</p>'
    ) == ["a noted word"]


def test_a_layout_is_read_cell_by_cell() -> None:
    cells = "".join(f"<ac:layout-cell><p>{word}</p></ac:layout-cell>" for word in ("left", "right"))
    assert texts(
        f'<ac:layout><ac:layout-section ac:type="two_equal">{cells}</ac:layout-section></ac:layout>'
    ) == ["left", "right"]


def test_a_link_shows_its_text_and_records_its_target() -> None:
    storage = (
        '<p><ac:link><ri:page ri:content-title="Backup" ri:space-key="OPS"/>'
        "<ac:plain-text-link-body><![CDATA[the guide]]>"
        "</ac:plain-text-link-body></ac:link></p>"
    )
    assert texts(storage) == ["the guide"]
    assert parse(storage).edges == (Edge("page", "Backup", "OPS"),)


def test_a_link_with_a_rich_body_shows_it() -> None:
    storage = (
        '<p><ac:link><ri:page ri:content-title="B"/><ac:link-body>the '
        "<em>guide</em></ac:link-body></ac:link></p>"
    )
    assert texts(storage) == ["the guide"]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ('<ri:page ri:content-title="Backup guide"/>', "Backup guide"),
        ('<ri:blog-post ri:content-title="We moved" ri:posting-day="2024/05/01"/>', "We moved"),
        ('<ri:attachment ri:filename="plan.pdf"/>', "plan.pdf"),
        ('<ri:space ri:space-key="OPS"/>', "OPS"),
        ('<ri:url ri:value="https://example.org/"/>', "https://example.org/"),
    ],
)
def test_a_link_without_text_shows_its_target(target: str, expected: str) -> None:
    assert texts(f"<p><ac:link>{target}</ac:link></p>") == [expected]


def test_a_link_to_an_anchor_of_the_same_page_shows_its_name() -> None:
    assert parse('<p><ac:link ac:anchor="Limits"/></p>').edges == (Edge("anchor", "Limits"),)
    assert texts('<p><ac:link ac:anchor="Limits"/></p>') == ["Limits"]


def test_a_web_link_shows_its_text_and_records_its_address() -> None:
    storage = '<p><a href="https://example.org/a">here</a></p>'
    assert texts(storage) == ["here"]
    assert parse(storage).edges == (Edge("url", "https://example.org/a"),)


@pytest.mark.parametrize("key", ['ri:account-id="5f0c"', 'ri:userkey="5f0c"'])
def test_a_mention_is_a_display_name(key: str) -> None:
    assert texts(f"<p>Ask <ac:link><ri:user {key}/></ac:link>.</p>", site=PEOPLE) == [
        "Ask @Ana Lima."
    ]


def test_an_unknown_mention_shows_no_account_id() -> None:
    assert texts('<p>Ask <ac:link><ri:user ri:account-id="zz9"/></ac:link></p>') == [
        "Ask @unknown user"
    ]


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (
            '<ac:image ac:alt="Rack layout"><ri:attachment ri:filename="r.png"/></ac:image>',
            "[image: Rack layout]",
        ),
        (
            '<ac:image><ri:attachment ri:filename="r.png"/><ac:caption>'
            "<p>The rack</p></ac:caption></ac:image>",
            "[image: The rack]",
        ),
        (
            '<ac:image ac:width="80"><ri:attachment ri:filename="r.png"/></ac:image>',
            "[image: r.png]",
        ),
        (
            '<ac:image><ri:url ri:value="https://example.org/a/my%20rack.png?x=1"/></ac:image>',
            "[image: my rack.png]",
        ),
        ('<img src="https://example.org/b.png" alt="A badge"/>', "[image: A badge]"),
        ("<ac:image/>", "[image]"),
    ],
)
def test_an_image_is_its_description_or_its_file(image: str, expected: str) -> None:
    assert texts(f"<p>{image}</p>") == [expected]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('ac:name="tick"', "✓"),
        ('ac:name="cross"', "✗"),
        ('ac:name="warning"', "⚠"),
        (
            'ac:name="blue-star" ac:emoji-shortname=":check_mark:" '
            'ac:emoji-fallback=":check_mark:"',
            "✓",
        ),
        ('ac:name="blue-star" ac:emoji-shortname=":rocket:" ac:emoji-fallback="🚀"', "🚀"),
        (
            'ac:name="blue-star" ac:emoji-shortname=":our_logo:" ac:emoji-fallback=":our_logo:"',
            ":our_logo:",
        ),
        ('ac:name="made-up"', "(made-up)"),
    ],
)
def test_an_emoticon_is_a_character(attributes: str, expected: str) -> None:
    assert texts(f"<p><ac:emoticon {attributes}/></p>") == [expected]


def test_a_hipchat_emoticon_is_its_short_cut() -> None:
    assert texts('<p>Done <ac:hipchat-emoticon ac:shortcut="success"/></p>') == ["Done (success)"]


def test_a_time_is_its_date() -> None:
    assert texts('<p>Due <time datetime="2024-05-01"/></p>') == ["Due 2024-05-01"]


def test_a_placeholder_is_dropped() -> None:
    assert texts("<p>Goal: <ac:placeholder>Describe the goal</ac:placeholder>none</p>") == [
        "Goal: none"
    ]


@pytest.mark.parametrize("tag", ["s", "del", "strike"])
def test_struck_out_words_are_marked(tag: str) -> None:
    assert texts(f"<p>Use port <{tag}>80</{tag}> 443</p>") == ["Use port ~~80~~ 443"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("€ 0.19<sup>1</sup> a piece", "€ 0.19¹ a piece"),
        ("90 m<sup>2</sup>", "90 m²"),
        ('10<sup><a href="#note">12</a></sup>', "10¹²"),
        ("the 5<sup>th</sup> day", "the 5th day"),
    ],
)
def test_raised_digits_do_not_join_the_number_before_them(written: str, read: str) -> None:
    assert texts(f"<p>{written}</p>") == [read]


def test_words_struck_out_by_style_are_marked() -> None:
    assert texts('<p>Use <span style="text-decoration: line-through;">80</span></p>') == [
        "Use ~~80~~"
    ]


def test_a_list_keeps_its_levels_and_numbers() -> None:
    storage = "<ol><li>first<ul><li>detail</li></ul></li><li><p>second</p></li></ol>"
    assert parse(storage).blocks == (
        ListBlock((Item("first", (Item("detail"),)), Item("second")), ordered=True),
    )


def test_a_list_straight_inside_a_list_belongs_to_the_item_above() -> None:
    assert parse("<ul><li>a</li><ul><li>b</li></ul></ul>").blocks == (
        ListBlock((Item("a", (Item("b"),)),)),
    )


def test_stray_text_in_a_list_is_an_item() -> None:
    assert texts("<ul>stray<li>a</li>late</ul>") == ["stray", "a", "late"]


def test_empty_items_are_dropped() -> None:
    assert parse("<ul><li>&nbsp;</li></ul>").blocks == ()


def test_code_in_an_item_keeps_its_lines() -> None:
    storage = (
        f"<ol><li>Run{macro('code', plain='cd /srv&#10;make'.replace('&#10;', chr(10)))}</li></ol>"
    )
    (block,) = parse(storage).blocks
    assert isinstance(block, ListBlock)
    assert block.items == (Item("Run\ncd /srv\nmake", holds_code=True),)


def test_a_task_has_a_state_a_person_and_a_date() -> None:
    storage = (
        "<ac:task-list><ac:task><ac:task-id>193</ac:task-id>"
        "<ac:task-status>incomplete</ac:task-status><ac:task-body><span>"
        '<ac:link><ri:user ri:account-id="5f0c"/></ac:link> order disks '
        '<time datetime="2024-05-01"/></span></ac:task-body></ac:task>'
        "<ac:task><ac:task-id>194</ac:task-id><ac:task-status>complete</ac:task-status>"
        "<ac:task-body>pay</ac:task-body></ac:task>"
        "</ac:task-list>"
    )
    one = TaskItem("@Ana Lima order disks 2024-05-01", assignee="Ana Lima", due="2024-05-01")
    assert parse(storage, site=PEOPLE).blocks == (TaskList((one, TaskItem("pay", done=True))),)
    (piece,) = pieces(storage, Kind.TASK, site=PEOPLE)
    assert [item.mark for item in piece.items] == ["[ ] ", "[x] "]
    assert piece.text == "[ ] @Ana Lima order disks 2024-05-01\n[x] pay"


def test_subtasks_follow_their_task_with_their_own_people() -> None:
    inner = (
        "<ac:task-list><ac:task><ac:task-status>complete</ac:task-status>"
        "<ac:task-body><ac:link>"
        '<ri:user ri:userkey="ff80"/></ac:link> inner</ac:task-body></ac:task></ac:task-list>'
    )
    storage = (
        f"<ac:task-list><ac:task><ac:task-body>outer{inner}</ac:task-body></ac:task></ac:task-list>"
    )
    (block,) = parse(storage, site=PEOPLE).blocks
    assert isinstance(block, TaskList)
    assert [(task.text, task.assignee) for task in block.tasks] == [
        ("outer", ""),
        ("@Bo Chen inner", "Bo Chen"),
    ]


def test_pre_keeps_lines_and_indentation() -> None:
    assert parse("<pre>if x:\n    <strong>run</strong>()<br/>end</pre>").blocks == (
        Code("if x:\n    run()\nend"),
    )


def test_a_run_of_pre_is_one_block() -> None:
    assert parse("<pre>one</pre>\n<pre>two</pre><p>x</p><pre>three</pre>").blocks == (
        Code("one\ntwo"),
        Passage("x"),
        Code("three", lead_in="x"),
    )


def test_a_quotation_is_its_text() -> None:
    assert texts("<blockquote><p>Never again</p></blockquote>") == ["Never again"]


def decision(state: str, text: str) -> str:
    """The markup of a decision."""
    content = f"<ac:adf-content>{text}</ac:adf-content>" if text else ""
    return (
        '<ac:adf-node type="decision-item">'
        f'<ac:adf-attribute key="state">{state}</ac:adf-attribute>{content}</ac:adf-node>'
    )


def test_decisions_keep_their_state_and_the_fallback_is_not_repeated() -> None:
    decisions = decision("DECIDED", "Use ports above 1024") + decision("DECIDED", "")
    node = f'<ac:adf-node type="decision-list">{decisions}</ac:adf-node>'
    fallback = "<ac:adf-fallback><ul><li>Use ports above 1024</li></ul></ac:adf-fallback>"
    assert texts(f"<ac:adf-extension>{node}{fallback}</ac:adf-extension>") == [
        "Decision (DECIDED): Use ports above 1024"
    ]


def test_an_adf_panel_is_a_panel() -> None:
    node = (
        '<ac:adf-node type="panel"><ac:adf-attribute key="panel-type">warning</ac:adf-attribute>'
        "<ac:adf-content><p>Hot surface</p></ac:adf-content></ac:adf-node>"
    )
    fallback = "<ac:adf-fallback><div><p>Hot surface</p></div></ac:adf-fallback>"
    assert texts(f"<ac:adf-extension>{node}{fallback}</ac:adf-extension>") == [
        "Warning: Hot surface"
    ]


def test_an_adf_extension_without_content_shows_its_fallback() -> None:
    node = (
        '<ac:adf-node type="chart">'
        '<ac:adf-attribute key="local-id">77ab</ac:adf-attribute></ac:adf-node>'
    )
    storage = (
        f"<ac:adf-extension>{node}<ac:adf-fallback>"
        "<p>Growth 5 %</p></ac:adf-fallback></ac:adf-extension>"
    )
    assert texts(storage) == ["Growth 5 %"]
