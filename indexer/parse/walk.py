"""Elements by name: `RULES` says what happens to each; one without a rule is transparent."""

from __future__ import annotations

from itertools import islice

from lxml import etree

from indexer.parse.document.anchors import PSEUDO_LEVEL
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import DEEPEST, Flow, Rule
from indexer.parse.elements import adf, inline, lists, tables, tabs
from indexer.parse.elements.code import pre
from indexer.parse.elements.macros import macro
from indexer.parse.elements.pseudo_headings import heading_text
from indexer.parse.markup.repair import UNSEEN
from indexer.parse.markup.xml import Element, child, name, parameter, visible

LONGEST_HEADING = 100  # pieces of text, for its id


def block(element: Element, flow: Flow) -> None:
    """Its content becomes paragraphs of its own."""
    flow.close()
    flow.walk(element)
    flow.close()


def paragraph(element: Element, flow: Flow) -> None:
    """`p`: a paragraph, or a heading when all of it is bold."""
    title = "" if flow.nested else heading_text(element)
    if title:
        flow.heading(title, level=PSEUDO_LEVEL)
        flow.blocks_inside(element)  # for its links
    else:
        block(element, flow)


def heading(element: Element, flow: Flow) -> None:
    """`h1` to `h6`; inside a cell or an item it is a line of text."""
    if flow.nested:
        # Not all of it, where headings are nested a hundred deep.
        flow.page.anchors.claim("".join(map(str, islice(element.itertext(), LONGEST_HEADING))))
        block(element, flow)
        return
    blocks = flow.blocks_inside(element)
    text = " ".join(" ".join(lines(blocks)).split())
    if text:
        flow.heading(text, level=int(name(element)[1]))
    for each in nested_tables(blocks):
        flow.emit(each)


def dropped(element: Element, flow: Flow) -> None:
    """Never shown: parameters, placeholders, ids, states."""


def too_deep(element: Element, flow: Flow) -> None:
    """What lies deeper than the walk goes: its paragraphs, in one pass and without recursion."""
    if flow.page.depth > DEEPEST + 1:  # within something that is read by its rule below
        flow.add_text(f" {visible(element)} ")
        return
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, each in walker:
        tag = name(each)
        if tag in PARAGRAPHS:
            flow.close()
        if event == "end":
            flow.add_text(" " if each is element else f" {each.tail or ''}")
        elif tag in UNSEEN or adf.is_spare(each):
            walker.skip_subtree()
        elif tag in _BY_RULE or (tag in _MACROS and child(each, "ac:rich-text-body") is None):
            RULES[tag](each, flow)
            walker.skip_subtree()
        else:
            flow.add_text(f" {parameter(each, 'title')} " if tag in _MACROS else " ")
            flow.add_text(each.text)


_INLINE = (
    "a abbr b big cite code col dfn em font i ins kbd label mark q samp small strong sub tt u "
    "var wbr ac:inline-comment-marker ac:rich-text-body ac:link-body ac:plain-text-link-body "
    "ac:adf-content ri:page ri:blog-post ri:attachment ri:url ri:space ri:shortcut "
    "ri:content-entity"
)
_BLOCKS = (
    "address article aside blockquote center dd details div dl dt figcaption figure footer header "
    "hr main nav section summary ac:layout ac:layout-section ac:plain-text-body "
    "ac:task ac:task-body page"
)
_HEADINGS = "h1 h2 h3 h4 h5 h6"
# where no table or list is around them
_OUT_OF_PLACE = "td th tr tbody thead tfoot li caption"
_MACROS = ("ac:structured-macro", "ac:macro")
# Where paragraphs begin and end, however deep they lie.
PARAGRAPHS = frozenset(
    f"{_BLOCKS} {_HEADINGS} {_OUT_OF_PLACE} p ul ol table ac:task-list ac:layout-cell".split()
)
# What says something without words; the rest of what is read by its rule are macros without a body.
_BY_RULE = frozenset(
    {
        *("pre", "br", "ac:link", "ri:user", "ac:image", "img", "time"),
        *("ac:emoticon", "ac:hipchat-emoticon", "s", "del", "strike"),
    }
)

RULES: dict[str, Rule] = {
    **dict.fromkeys(_INLINE.split(), inline.transparent),
    **dict.fromkeys(_BLOCKS.split(), block),
    **dict.fromkeys(UNSEEN, dropped),
    **dict.fromkeys(_HEADINGS.split(), heading),
    "p": paragraph,
    "pre": pre,
    "ac:layout-cell": tabs.column,
    "ac:adf-extension-frame": adf.frame,
    "ul": lists.bullets,
    "ol": lists.bullets,
    "ac:task-list": lists.task_list,
    "table": tables.table,
    **dict.fromkeys(_OUT_OF_PLACE.split(), block),
    "br": inline.then_content(inline.line_break),
    "a": inline.web_link,
    "span": inline.span,
    **dict.fromkeys(("s", "del", "strike"), inline.struck),
    "sup": inline.raised,
    "ac:link": inline.link,
    "ri:user": inline.then_content(inline.user),
    "ac:image": inline.then_content(inline.image),
    "ac:caption": inline.caption,
    "img": inline.then_content(inline.image),
    "time": inline.then_content(inline.date),
    "ac:emoticon": inline.then_content(inline.emoticon),
    "ac:hipchat-emoticon": inline.then_content(inline.hipchat_emoticon),
    **dict.fromkeys(_MACROS, macro),
    "ac:adf-extension": inline.transparent,
    "ac:adf-node": adf.node,
    "ac:adf-fallback": adf.fallback,
}
