"""The organization tree: entities of the entities file, and pages under the pages above them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core import organization_terms
from core.models import Page
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import Reader
from worker.entities.entities_file import Entity
from worker.entities.names import Name, NameIndex, names_of

PAGE = "page"  # the kind of a page that does not say what it is about
_PAGE_ID = re.compile(r"(?:/pages/|[?&]pageId=)(\d+)")


@dataclass(frozen=True)
class EntityNode:
    """Something that belongs somewhere; who may read its page may be told of it."""

    key: str
    name: str
    kind: str
    page: PageKey
    parent: str = ""  # key of the node above
    aliases: tuple[str, ...] = ()
    from_file: bool = False

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """What it is called in questions."""
        return names_of(self.key, (self.name, *self.aliases))


@dataclass(frozen=True)
class TreePage:
    """A page as the tree knows it."""

    node: EntityNode
    acl_id: str
    record: Mapping[str, Any]  # core.models.Page

    @property
    def page(self) -> Page:
        return Page.model_validate(self.record).without_breadcrumbs


@dataclass(frozen=True)
class Tree:
    """All of it, as of one revision of the index, without access control: that is `View`."""

    pages: Mapping[PageKey, TreePage]
    file: Sequence[EntityNode] = ()

    @cached_property
    def nodes(self) -> Mapping[str, EntityNode]:
        by_key = {node.key: node for node in self.file}
        for page in self.pages.values():
            by_key[page.node.key] = page.node
        return by_key

    @cached_property
    def names(self) -> NameIndex:
        return _name_index(self.nodes.values())

    @cached_property
    def file_names(self) -> NameIndex:
        """Those that are looked for in most questions."""
        return _name_index(self.file)

    @cached_property
    def under(self) -> Mapping[str, Sequence[EntityNode]]:
        """The children of each node, by key: those of the file as written there, pages by title."""
        pages = [page.node for page in self.pages.values()]
        pages.sort(key=lambda node: node.name.casefold())
        found: dict[str, list[EntityNode]] = {}
        for node in (*self.file, *pages):
            found.setdefault(node.parent, []).append(node)
        return found


def _name_index(nodes: Iterable[EntityNode]) -> NameIndex:
    return NameIndex(name for node in nodes for name in node.names)


@dataclass(frozen=True)
class View:
    """Access control: what this reader may not read is neither named nor counted."""

    tree: Tree
    reader: Reader

    def may(self, node: EntityNode) -> bool:
        page = self.tree.pages.get(node.page)
        if page is None or page.acl_id not in self.reader.acls:
            return False
        return self.reader.searches(page.record["space"])

    def above(self, node: EntityNode) -> list[EntityNode]:
        """What it belongs to, the nearest first."""
        found: list[EntityNode] = []
        seen = {node.key}
        while node.parent not in seen and node.parent in self.tree.nodes:
            node = self.tree.nodes[node.parent]
            seen.add(node.key)
            found.append(node)
        return self._readable(found)

    def under(self, node: EntityNode) -> list[EntityNode]:
        return self._readable(self.tree.under.get(node.key, ()))

    def below(self, node: EntityNode) -> list[EntityNode]:
        """Everything under it at all levels, level by level."""
        found: list[EntityNode] = []
        level = [node]
        seen = {node.key}
        while level:
            level = self._children(level, seen)
            seen.update(each.key for each in level)
            found += level
        return self._readable(found)

    def _readable(self, nodes: Iterable[EntityNode]) -> list[EntityNode]:
        return [node for node in nodes if self.may(node)]

    def _children(
        self,
        level: Sequence[EntityNode],
        seen: Set[str],
    ) -> list[EntityNode]:
        found: list[EntityNode] = []
        for upper in level:
            children = self.tree.under.get(upper.key, ())
            found += [each for each in children if each.key not in seen]
        return found


def of_page(
    page: PageKey,
    acl_id: str,
    record: Mapping[str, Any],
) -> TreePage:
    """A page as a part of the page above it."""
    title = " ".join(record["title"].split())
    above = record.get("parent_id")
    parent = PageKey(page.source, above) if above else None
    node = EntityNode(
        key=f"page:{page}",
        name=title,
        kind=_kind(title, record.get("labels") or ()),
        page=page,
        parent=f"page:{parent}" if parent else "",
    )
    return TreePage(node, acl_id, record)


def of_file(
    entities: Sequence[Entity],
    pages: Mapping[PageKey, TreePage],
) -> list[EntityNode]:
    """The entries of the file; no reader sees one whose page is not in the index."""
    by_url = {each.record["url"]: key for key, each in pages.items()}
    nodes: list[EntityNode] = []
    for number, entity in enumerate(entities):
        node = EntityNode(
            key=f"file:{number}",
            name=" ".join(entity.name.split()),
            kind=entity.kind,
            page=_named_page(entity.page, by_url),
            parent="" if entity.parent is None else f"file:{entity.parent}",
            aliases=entity.aliases,
            from_file=True,
        )
        nodes.append(node)
    return nodes


def _named_page(id_or_url: str, by_url: Mapping[str, PageKey]) -> PageKey:
    """A bare id is one of Confluence's."""
    if known := by_url.get(id_or_url):
        return known
    in_url = _PAGE_ID.search(id_or_url)
    return PageKey(CONFLUENCE, in_url[1] if in_url else id_or_url)


def _kind(title: str, labels: Iterable[str]) -> str:
    """What a page is about when either end of its title says so, or a label: `Crane Team`.

    In the singular alone: a page about teams is no team.
    """
    first, *others = title.split() or [""]
    ends = (others[-1], first) if others else ()
    for word in (*ends, *labels):
        unit = organization_terms.unit(word)
        if unit and word.casefold() == unit.casefold():
            return unit
    return PAGE
