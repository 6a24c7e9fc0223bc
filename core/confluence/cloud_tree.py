"""Where pages of Confluence Cloud stand right now: what is above them, in few requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from core.confluence import cloud_items as items
from core.confluence.allowance import Allowance
from core.confluence.cloud_bulk import Content, in_bulk
from core.confluence.cloud_items import Node
from core.confluence.reply import as_json, is_unknown, understood
from core.confluence.transport import Transport
from core.models import Page
from core.pages import PageKind

# A page may stand under one that is not current. Deleted ones have left the tree.
ABOVE = ("current", "archived", "trashed")


@dataclass(frozen=True)
class Chain:
    """A page and what is above it, innermost first, as far as it is known."""

    nodes: tuple[Node, ...]
    missing: str = ""  # the id of what is above the last one; empty when nothing is


class ContentTree:
    """As much of the tree as some pages need."""

    def __init__(self, transport: Transport, allowance: Allowance) -> None:
        self._transport = transport
        self._allowance = allowance
        # None: there is no such page, as far as this account sees.
        self._nodes: dict[str, Node | None] = {}

    def read(self, pages: Sequence[Page]) -> None:
        """Ask for the pages and what was above them; then for what is above them by now."""
        self._read_pages(list(_believed(pages)))
        while self._allowance.left > 0:
            more, folders = self._missing(pages)
            if not more and not folders:
                return
            self._read_pages([(PageKind.PAGE, each) for each in more])
            self._read_folders(folders)

    def chains(self, pages: Sequence[Page]) -> dict[str, Chain | None]:
        """Those that are known to their end; None for pages that are not there or not current."""
        found: dict[str, Chain | None] = {}
        for page in pages:
            if page.id not in self._nodes:
                continue
            node = self._nodes[page.id]
            if node is None or not node.is_current:
                found[page.id] = None
            elif not (chain := self._chain(node)).missing:
                found[page.id] = chain
        return found

    def _read_pages(self, wanted: Sequence[Content]) -> None:
        kinds = {content_id: kind for kind, content_id in wanted}
        shown = in_bulk(self._transport, self._allowance, wanted, ABOVE)
        for content_id, item in shown.items():
            what, read = f"the page {content_id}", partial(items.node, kind=kinds[content_id])
            self._nodes[content_id] = None if item is None else understood(what, item, read)

    def _read_folders(self, ids: Sequence[str]) -> None:
        folders = self._allowance.each(self._folder, ids)
        self._nodes |= dict(zip(ids, folders, strict=False))

    def _folder(self, content_id: str) -> Node:
        """…/rest/v2/api-group-folder/#api-folders-id-get; what is none is closed to everybody."""
        response = self._transport.send(f"api/v2/folders/{content_id}", {})
        if is_unknown(response):
            return items.unknown(content_id)
        return understood(f"the folder {content_id}", as_json(response), items.folder)

    def _missing(self, pages: Sequence[Page]) -> tuple[list[str], list[str]]:
        """What is above and not known yet: pages, and what was no page, so perhaps a folder."""
        more: dict[str, None] = {}
        folders: dict[str, None] = {}
        for page in pages:
            node = self._nodes.get(page.id)
            if node is None or not node.is_current:
                continue
            chain = self._chain(node)
            is_folder = chain.nodes[-1].parent_kind is PageKind.FOLDER
            if chain.missing and (is_folder or chain.missing in self._nodes):
                folders[chain.missing] = None
            elif chain.missing:
                more[chain.missing] = None
        return list(more), list(folders)

    def _chain(self, node: Node) -> Chain:
        chain = [node]
        while above := chain[-1].parent:
            found = self._nodes.get(above)
            if found is None and chain[-1].parent_kind is PageKind.OTHER:
                found = items.unknown(above)
            if found is None:
                return Chain(tuple(chain), missing=above)
            if found in chain:  # two replies of a moment in which somebody moved both
                return Chain((*chain, items.unknown(above)))
            chain.append(found)
        return Chain(tuple(chain))


def _believed(pages: Sequence[Page]) -> Iterator[Content]:
    """The pages, then what the last sync saw above them."""
    for page in pages:
        if page.kind.is_indexed:
            yield page.kind, page.id
    for page in pages:
        above = {*page.above, *filter(None, [page.parent_id])}
        for content_id in sorted(above) if page.kind is PageKind.PAGE else ():
            yield PageKind.PAGE, content_id
