"""Macros and elements with a title of their own, or beside others: tabs, expands, columns."""

from __future__ import annotations

from indexer.parse.document.blocks import Passage
from indexer.parse.document.flow import Flow, Rule
from indexer.parse.elements.inline import transparent
from indexer.parse.markup.xml import Element, name, parameter

# The names that apps of the Marketplace gave them, each with the parameter that holds the title.
TITLED = {
    "expand": ("title",),
    "ui-expand": ("title",),
    "ui-tab": ("title",),  # Refined UI Toolkit
    "tab": ("title", "label", "name"),  # Appfire, after its move to Cloud
    "card": ("title", "label"),  # Appfire, Composition
    "cfm-tabs-page": ("tabsPageTitle", "title"),  # Content Formatting Macros
    "auitabspage": ("title",),  # AUI tabs
    "localtab": ("title",),  # Navitabs
    "aura-tab": ("title",),  # Aura
}
TABS = (
    *("ui-tabs", "tab-group", "tabs", "deck", "cfm-tabs", "auitabs", "localtabgroup"),
    "aura-tab-collection",
)


def titled_by(*keys: str) -> Rule:
    """Something of which one of these parameters is the title."""

    def rule(element: Element, flow: Flow) -> None:
        titles = (parameter(element, key) for key in keys)
        titled(next(filter(None, titles), ""), element, flow)

    return rule


def titled(title: str, element: Element, flow: Flow) -> None:
    """A title as a pseudo-heading over the content; in a cell or an item it is a line of text."""
    with flow.scope(title=title):
        if flow.nested and title:
            flow.emit(Passage(title))
        flow.walk(element)


def tab_group(element: Element, flow: Flow) -> None:
    """The tabs in it: it says nothing itself."""
    flow.close()
    transparent(element, flow)
    flow.close()


def column(element: Element, flow: Flow) -> None:
    """A cell of a layout; where others stand beside it, its headings are its own."""
    flow.close()
    if _stands_alone(element):
        flow.walk(element)
        flow.close()
        return
    with flow.beside():
        flow.walk(element)


def _stands_alone(cell: Element) -> bool:
    """Whether it is as wide as the page; what is above it in the tree says nothing else."""
    row = cell.getparent()
    return row is None or sum(name(each) == name(cell) for each in row) < 2
