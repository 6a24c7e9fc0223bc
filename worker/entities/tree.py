"""The tree of an organization: what the entities file names, and the pages with what stands above and under them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core import organization_terms
from core.models import Page
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
    page_id: str
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
        return Page.model_validate(self.record)


@dataclass(frozen=True)
class Tree:
    """All of it as of one revision of the index; nothing here is for a reader before `View` has looked at it."""

    pages: Mapping[str, TreePage]  # by page id
    file: Sequence[EntityNode] = ()

    @cached_property
    def nodes(self) -> Mapping[str, EntityNode]:
        return {
            node.key: node for node in (*self.file, *(each.node for each in self.pages.values()))
        }

    @cached_property
    def names(self) -> NameIndex:
        return NameIndex(name for node in self.nodes.values() for name in node.names)

    @cached_property
    def file_names(self) -> NameIndex:
        """Those that most questions are looked through for."""
        return NameIndex(name for node in self.file for name in node.names)

    @cached_property
    def under(self) -> Mapping[str, Sequence[EntityNode]]:
        """The nodes right under each, by key: those of the file as written there, pages by title."""
        found: dict[str, list[EntityNode]] = {}
        for node in self.file:
            found.setdefault(node.parent, []).append(node)
        for each in sorted(self.pages.values(), key=lambda each: each.node.name.casefold()):
            found.setdefault(each.node.parent, []).append(each.node)
        return found


@dataclass(frozen=True)
class View:
    """The tree as one reader may know it: what the reader may not read is not there, neither named nor counted."""

    tree: Tree
    reader: Reader

    def may(self, node: EntityNode) -> bool:
        page = self.tree.pages.get(node.page_id)
        return (
            page is not None
            and page.acl_id in self.reader.acls
            and self.reader.searches(page.record["space"])
        )

    def above(self, node: EntityNode) -> list[EntityNode]:
        """What it belongs to, the nearest first."""
        found: list[EntityNode] = []
        seen = {node.key}
        while node.parent not in seen and node.parent in self.tree.nodes:
            node = self.tree.nodes[node.parent]
            seen.add(node.key)
            found.append(node)
        return [each for each in found if self.may(each)]

    def under(self, node: EntityNode) -> list[EntityNode]:
        return [each for each in self.tree.under.get(node.key, ()) if self.may(each)]

    def below(self, node: EntityNode) -> list[EntityNode]:
        """Everything under it at all levels, level by level."""
        found, level, seen = list[EntityNode](), [node], {node.key}
        while level:
            level = [
                each
                for upper in level
                for each in self.tree.under.get(upper.key, ())
                if each.key not in seen
            ]
            seen.update(each.key for each in level)
            found += level
        return [each for each in found if self.may(each)]


def of_page(page_id: str, acl_id: str, record: Mapping[str, Any]) -> TreePage:
    """A page as a part of the page above it."""
    title, parent = " ".join(record["title"].split()), record.get("parent_id")
    node = EntityNode(
        f"page:{page_id}",
        title,
        _kind(title, record.get("labels") or ()),
        page_id,
        f"page:{parent}" if parent else "",
    )
    return TreePage(node, acl_id, record)


def of_file(entities: Sequence[Entity], pages: Mapping[str, TreePage]) -> list[EntityNode]:
    """The entries of the file; one whose page is not in the index is known to nobody."""
    by_url = {each.record["url"]: page_id for page_id, each in pages.items()}
    return [
        EntityNode(
            key=f"file:{number}",
            name=" ".join(entity.name.split()),
            kind=entity.kind,
            page_id=_page_id(entity.page, by_url),
            parent="" if entity.parent is None else f"file:{entity.parent}",
            aliases=entity.aliases,
            from_file=True,
        )
        for number, entity in enumerate(entities)
    ]


def _page_id(said: str, by_url: Mapping[str, str]) -> str:
    """The id that an id or an address means."""
    in_address = _PAGE_ID.search(said)
    return by_url.get(said) or (in_address[1] if in_address else said)


def _kind(title: str, labels: Iterable[str]) -> str:
    """What a page is about when its title says so at either end, or a label does: `Crane Team`, `Abteilung Einkauf`.

    In the singular alone: a page about teams is no team.
    """
    said = title.split()
    ends = (said[-1], said[0]) if len(said) > 1 else ()
    return next(
        (
            organization_terms.unit(word)
            for word in (*ends, *labels)
            if word.casefold() == organization_terms.unit(word).casefold() != ""
        ),
        PAGE,
    )
