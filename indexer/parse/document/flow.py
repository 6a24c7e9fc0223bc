"""The walk through a page: text runs into the open paragraph, rules finish it and add blocks.

A rule is a function of an element and the flow it is in. The content of a list item or a table cell
is walked in a flow of its own (`blocks_inside`), so the same rules hold there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar
from urllib.parse import unquote_plus

from indexer.parse.document.addresses import file_at
from indexer.parse.document.anchors import PSEUDO_LEVEL, Anchors, Headings
from indexer.parse.document.blocks import Block, ChildPages, Code, Edge, PageName, Passage, Site
from indexer.parse.document.flat import lines
from indexer.parse.document.marks import briefly, is_long, marked
from indexer.parse.document.sentences import announcement, collapse_whitespace
from indexer.parse.markup.xml import Element, name

WITHHELD = "[another page]"  # for a title that not every reader of this page may read
# Each level of markup costs a few Python frames; no real page is half as deep, and below it one
# rule reads all that is left.
DEEPEST = 60

AnyBlock = TypeVar("AnyBlock", bound=Block)
Rule = Callable[[Element, "Flow"], None]


@dataclass
class PageContext:
    """What all flows of one page share."""

    site: Site
    rules: Mapping[str, Rule]
    too_deep: Rule
    anchors: Anchors
    edges: list[Edge] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    names: list[PageName] = field(default_factory=list)
    restricted: list[ChildPages] = field(default_factory=list)
    shows_children: bool = False
    tables: int = 0
    depth: int = 0

    def title_of(self, name: PageName) -> str:
        """The title of another page as it may be shown here; noted, because its ACL can change."""
        title = self._resolve(name)
        return WITHHELD if title is None else self.marked(title, name)

    def belonging(self, text: str, name: PageName) -> str | None:
        """What belongs to another page, such as a file's name; None where it may not be shown."""
        return None if self._resolve(name) is None else self.marked(text, name)

    def is_title(self, text: str, name: PageName) -> bool:
        """Whether what an author wrote is nothing but that page's title, of today or as linked."""
        found = self.site.page_of(name) or name
        titles = (found.title, name.title, unquote_plus(file_at(name.title)))
        return _folded(text) in {*map(_folded, titles)} - {""}

    def marked(self, text: str, name: PageName) -> str:
        """The text, of which each word says that it gives this page away."""
        return marked(text, (self.site.page_of(name) or name).id)

    def _resolve(self, name: PageName) -> str | None:
        self.names.append(name)
        return self.site.title_of(name)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


class Flow:
    """One run of text with its finished blocks."""

    def __init__(self, page: PageContext, *, nested: bool = False) -> None:
        self.page = page
        self.nested = nested  # in a cell or an item, where headings are plain text
        self.blocks: list[Block] = []
        self.headings = Headings(page.anchors)
        self.label = ""
        self._open: list[str] = []
        self._more_code: list[str] = []  # continues the last block, which is code
        self._kept = 0  # headings that a scope must not close
        self._part = 0  # of the page; the next one begins where a heading begins or ends

    def walk(self, element: Element, without: Element | None = None) -> None:
        """Everything inside an element, apart from a child that was read already."""
        self.add_text(element.text)
        for each in element:
            if each is not without:
                self.visit(each)
            self.add_text(each.tail)

    def visit(self, element: Element) -> None:
        """One element, by its rule; an element without one is transparent."""
        tag = name(element)
        if not tag:
            return
        self.page.depth += 1
        is_deep = self.page.depth > DEEPEST
        rule = self.page.too_deep if is_deep else self.page.rules.get(tag, unknown)
        rule(element, self)
        self.page.depth -= 1

    def add_text(self, text: str | None) -> None:
        """Add to the open paragraph."""
        if text:
            self._open.append(text)

    def is_blank(self) -> bool:
        """Whether the open paragraph has nothing to see yet."""
        return not any(text.strip() for text in self._open)

    def close(self) -> None:
        """Finish the open code and the open paragraph."""
        self._close_code()
        text = collapse_whitespace("".join(self._open))
        self._open.clear()
        if text:
            self._add_passage(text)

    def emit(self, block: Block) -> None:
        """Add a finished block at this place."""
        self.close()
        lead_in = "" if isinstance(block, Passage) else self._lead_in()
        self.headings.use()
        self.blocks.append(self._placed(block, lead_in))

    def emit_restricted(self, block: ChildPages) -> None:
        """Keep what fewer people may see, with its place, apart from the blocks."""
        self.page.restricted.append(self._placed(block, self._lead_in()))

    def _placed(self, block: AnyBlock, lead_in: str) -> AnyBlock:
        return replace(
            block,
            heading_path=self.headings.path,
            anchor=self.headings.anchor,
            label=self.label or block.label,
            lead_in=lead_in,
            part=self._part,
        )

    def _add_passage(self, text: str) -> None:
        """Made with its place at once: a page has one for each paragraph, item and cell."""
        self.headings.use()
        path, anchor, part = self.headings.path, self.headings.anchor, self._part
        passage = Passage(text, heading_path=path, anchor=anchor, label=self.label, part=part)
        self.blocks.append(passage)

    def _lead_in(self) -> str:
        """The paragraph right above, when it is short or announces something."""
        last = self.blocks[-1] if self.blocks else None
        here = self.label, self._part
        if not isinstance(last, Passage) or (last.label, last.part) != here:
            return ""
        return announcement(last.text)

    def heading(self, text: str, level: int) -> None:
        """Close the headings that end here and open the next one."""
        self._end_headings(level, self._kept)
        self._push(text, level)

    def _push(self, text: str, level: int) -> None:
        self.headings.push(text, level)
        self._part += 1
        self._whole(text)

    def _whole(self, text: str) -> None:
        if is_long(text):  # over the pieces below stands only its beginning
            self._add_passage(text)

    def _end_headings(self, level: int, keep: int = 0) -> None:
        self.close()
        for text in self.headings.pop_unused(level, keep):
            self._add_passage(text)
        self._part += 1

    @contextmanager
    def beside(self) -> Iterator[None]:
        """A part of the page that stands beside others: after it, headings are as they were."""
        self._end_headings(PSEUDO_LEVEL + 1)
        above, anchor = list(self.headings.open), self.headings.anchor
        yield
        still = sum(1 for each in self.headings.open if any(each is other for other in above))
        self._end_headings(0, still)
        self.headings.open, self.headings.anchor = above, anchor

    @contextmanager
    def scope(self, *, label: str = "", title: str = "") -> Iterator[None]:
        """A part of the page with its own headings and label; a title is a pseudo-heading."""
        self.close()
        outer = self.label, self.headings.anchor, self._kept
        above = len(self.headings.open)
        self.label = briefly(label) or self.label
        self._whole(label)
        if title:
            self._push(title, PSEUDO_LEVEL)
        self._kept = len(self.headings.open)
        yield
        self._end_headings(0, above)
        self.label, self.headings.anchor, self._kept = outer

    def blocks_inside(self, element: Element) -> list[Block]:
        """The blocks of an element's content, walked by itself."""
        flow = Flow(self.page, nested=True)
        flow.walk(element)
        flow.close()
        return flow.blocks

    def blocks_of(self, element: Element) -> list[Block]:
        """The blocks of an element itself, apart from what is around it."""
        flow = Flow(self.page, nested=True)
        flow.visit(element)
        flow.close()
        return flow.blocks

    def finish(self) -> None:
        """The end of the page."""
        self._end_headings(0)

    def verbatim(self, element: Element) -> tuple[str, list[Block]]:
        """An element's text by the usual rules, with its white space, and the blocks inside it."""
        flow = Flow(self.page, nested=True)
        flow.walk(element)
        flow._close_code()
        return "\n".join([*lines(flow.blocks), "".join(flow._open)]), flow.blocks

    def continue_code(self, text: str) -> None:
        """Append to the code block that was just finished."""
        self._more_code.append(text)

    def _close_code(self) -> None:
        """Join what continues the last block: once, since each time all of it is copied."""
        if not self._more_code:
            return
        last = self.blocks[-1]
        assert isinstance(last, Code)
        self.blocks[-1] = replace(last, text="\n".join([last.text, *self._more_code]))
        self._more_code.clear()


def unknown(element: Element, flow: Flow) -> None:
    """An element without a rule keeps its content, apart from the words around it."""
    flow.add_text(" ")
    flow.walk(element)
    flow.add_text(" ")
