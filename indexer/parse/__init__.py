"""Parses Confluence's storage format to blocks in reading order.

    markup.xml, markup.repair       text to an element tree; broken markup is repaired and noted
    walk                            the rule of every element, by name (what happens to <x>?)
    elements.macros                 the rule of every macro, by name (what happens to macro x?)
    elements.*                      the rules themselves, a module for each family
    elements.cards                  link texts that the editor wrote: resolved before the walk
    elements.tables, .table_grid    what rows and columns mean
    document.flow, .anchors         the walk: open paragraph, finished blocks, headings above
    document.continued              lists that go on behind code or a note
    document.blocks, .flat          what comes out, and how it looks inside a cell
    document.marks                  which words of it are the title of another page

Nothing raises on content: unknown elements are transparent, unknown macros are their body and a
marker, parameters are never text.
"""

from __future__ import annotations

from indexer.parse.document.anchors import AnchorOf, Anchors, as_in_cloud
from indexer.parse.document.blocks import (
    Block,
    ChildPage,
    ChildPages,
    Code,
    Document,
    Edge,
    Item,
    ListBlock,
    PageName,
    PageTitle,
    Passage,
    Site,
    Table,
    TaskItem,
    TaskList,
)
from indexer.parse.document.continued import with_lists_joined
from indexer.parse.document.flow import Flow, PageContext
from indexer.parse.elements.cards import resolve_links
from indexer.parse.markup.xml import read
from indexer.parse.walk import RULES, too_deep

__all__ = [
    "PARSER_VERSION",
    "Block",
    "ChildPage",
    "ChildPages",
    "Code",
    "Document",
    "Edge",
    "Item",
    "ListBlock",
    "PageName",
    "PageTitle",
    "Passage",
    "Site",
    "Table",
    "TaskItem",
    "TaskList",
    "parse",
]  # fmt: skip

PARSER_VERSION = "8"  # raise it when blocks change: every page is then parsed again
_NOWHERE = Site()


def parse(storage: str, *, site: Site = _NOWHERE, anchor_of: AnchorOf = as_in_cloud) -> Document:
    """A page's storage format as blocks, with the targets of its links and notes on its markup."""
    root, notes = read(storage)
    page = PageContext(site, RULES, too_deep, Anchors(anchor_of), notes=list(notes))
    resolve_links(root, page)
    flow = Flow(page)
    flow.walk(root)
    flow.finish()
    return Document(
        blocks=tuple(with_lists_joined(flow.blocks)),
        edges=tuple(dict.fromkeys(page.edges)),
        notes=tuple(page.notes),
        names=tuple(dict.fromkeys(page.names)),
        shows_children=page.shows_children,
        restricted=tuple(page.restricted),
    )
