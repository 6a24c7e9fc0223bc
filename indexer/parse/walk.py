"""Elements by name: `RULES` says what happens to each; one without a rule is transparent."""

from __future__ import annotations

from indexer.parse.document.anchors import PSEUDO_LEVEL
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import Flow, Rule, then_content
from indexer.parse.elements import adf, inline, lists, tables
from indexer.parse.elements.code import pre
from indexer.parse.elements.macros import macro
from indexer.parse.elements.pseudo_headings import heading_text
from indexer.parse.markup.xml import Element, name


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
        block(element, flow)
        return
    blocks = flow.blocks_inside(element)
    words = " ".join(lines(blocks)).split()
    text = " ".join(words)
    if text:
        flow.heading(text, level=int(name(element)[1]))
    for each in nested_tables(blocks):
        flow.emit(each)


def dropped(element: Element, flow: Flow) -> None:
    """Never shown: parameters, placeholders, ids, states."""


_INLINE = (
    "a abbr b big cite code col dfn em font i ins kbd label mark q samp small strong sub sup tt u "
    "var wbr ac:inline-comment-marker ac:rich-text-body ac:link-body ac:plain-text-link-body "
    "ac:adf-content ac:adf-fallback ri:page ri:blog-post ri:attachment ri:url ri:space ri:shortcut "
    "ri:content-entity"
)
_BLOCKS = (
    "address article aside blockquote center dd details div dl dt figcaption figure footer header "
    "hr main nav section summary ac:layout ac:layout-section ac:layout-cell ac:plain-text-body "
    "ac:task ac:task-body page"
)
_DROPPED = (
    "ac:parameter ac:default-parameter ac:placeholder ac:task-id ac:task-uuid ac:task-status "
    "ac:adf-attribute script style"
)
_HEADINGS = "h1 h2 h3 h4 h5 h6"
# where no table or list is around them
_OUT_OF_PLACE = "td th tr tbody thead tfoot li caption"

RULES: dict[str, Rule] = {
    **dict.fromkeys(_INLINE.split(), inline.transparent),
    **dict.fromkeys(_BLOCKS.split(), block),
    **dict.fromkeys(_DROPPED.split(), dropped),
    **dict.fromkeys(_HEADINGS.split(), heading),
    "p": paragraph,
    "pre": pre,
    "ul": lists.bullets,
    "ol": lists.bullets,
    "ac:task-list": lists.task_list,
    "table": tables.table,
    **dict.fromkeys(_OUT_OF_PLACE.split(), block),
    "br": then_content(inline.line_break),
    "a": inline.web_link,
    "span": inline.span,
    **dict.fromkeys(("s", "del", "strike"), inline.struck),
    "ac:link": inline.link,
    "ri:user": then_content(inline.user),
    "ac:image": then_content(inline.image),
    "ac:caption": inline.caption,
    "img": then_content(inline.image),
    "time": then_content(inline.date),
    "ac:emoticon": then_content(inline.emoticon),
    "ac:hipchat-emoticon": then_content(inline.hipchat_emoticon),
    "ac:structured-macro": macro,
    "ac:macro": macro,
    "ac:adf-extension": adf.extension,
    "ac:adf-node": adf.node,
}
