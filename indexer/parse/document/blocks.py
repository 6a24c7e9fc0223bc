"""Blocks: what a page is made of without its markup, in reading order, and where links lead.

Blocks hold words only; how they become sentences and evidence is `indexer.evidence.verbalize`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.structure import TableRow


@dataclass(frozen=True, kw_only=True)
class Block:
    """One thing on the page, and its place."""

    heading_path: tuple[str, ...] = ()
    anchor: str = ""  # id of the nearest heading above
    label: str = ""  # kind and title of the panel around it, such as "Warning: Before you start"
    lead_in: str = ""  # the sentence that announces it ("You need:"); never set on a passage
    # What stands under one heading, in one cell of a layout or in one panel: it may be read on,
    # where headings with the same words may not.
    part: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Passage(Block):
    """One paragraph; a line break inside it is a newline."""

    text: str


@dataclass(frozen=True)
class Code(Block):
    """Preformatted text with its newlines."""

    text: str
    language: str = ""
    title: str = ""


@dataclass(frozen=True)
class Item:
    """One item of a list, with the list under it."""

    text: str
    children: tuple[Item, ...] = ()
    ordered: bool = False  # whether the children are numbered
    holds_code: bool = False  # lines that must stay together


@dataclass(frozen=True)
class ListBlock(Block):
    """A whole list with all its levels."""

    items: tuple[Item, ...]
    ordered: bool = False
    start: int = 1  # the number of the first item, where they are numbered


@dataclass(frozen=True)
class TaskItem:
    """One line of a task list."""

    text: str
    done: bool = False
    assignee: str = ""
    due: str = ""  # ISO date


@dataclass(frozen=True)
class TaskList(Block):
    """Consecutive tasks."""

    tasks: tuple[TaskItem, ...]


@dataclass(frozen=True)
class Table(Block):
    """A table as a grid: spans filled in, several header rows joined as "Legacy › Install"."""

    number: int  # 1-based, on the page
    header: tuple[str, ...]  # one per column, empty where it has no name
    rows: tuple[TableRow, ...]
    caption: str = ""
    header_column: bool = False  # the first column names the rows


@dataclass(frozen=True)
class ChildPage:
    """A page under this one."""

    id: str
    title: str
    acl_id: str = ""  # needed to see its title, where fewer people may read it than this page


@dataclass(frozen=True)
class ChildPages(Block):
    """A list of pages under this one, which Confluence fills in; all of them take the same ACL."""

    pages: tuple[ChildPage, ...]


@dataclass(frozen=True)
class Edge:
    """Where a link or an include leads; a page by its title, and its space if that differs."""

    kind: str  # page | blogpost | attachment | space | url | anchor | include
    target: str
    space: str = ""


@dataclass(frozen=True)
class PageName:
    """How a link or an include names another page: by id, or title and space (empty: its own)."""

    title: str
    space: str = ""
    id: str = ""


@dataclass(frozen=True)
class Document:
    """A parsed page, where the words of other pages' titles have marks."""

    blocks: tuple[Block, ...] = ()
    edges: tuple[Edge, ...] = ()
    notes: tuple[str, ...] = ()  # on markup that was repaired
    names: tuple[PageName, ...] = ()  # the other pages whose titles it shows, or had to withhold
    shows_children: bool = False
    restricted: tuple[ChildPages, ...] = ()  # lists for fewer people, not among `blocks`


@dataclass(frozen=True)
class PageTitle:
    """A page that another one names, whether it may be shown there or not."""

    id: str
    title: str


def _as_written(name: PageName) -> str:
    """For a page by itself, of which no site is known."""
    return name.title


def _unknown(name: PageName) -> PageTitle:
    return PageTitle(name.id, name.title)


@dataclass(frozen=True)
class Site:
    """What the markup only refers to: names of people, child pages, titles of linked pages.

    `page_title` is that of the page itself, `people` is by account id or user key. `title_of` gives
    None for a page that must not be named; `page_of` says which page is meant, None where it is
    unknown.
    """

    page_title: str = ""
    people: Mapping[str, str] = field(default_factory=dict)
    children: tuple[ChildPage, ...] = ()
    title_of: Callable[[PageName], str | None] = _as_written
    page_of: Callable[[PageName], PageTitle | None] = _unknown
