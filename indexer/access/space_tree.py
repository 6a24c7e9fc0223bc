"""The tree of a space: its pages, what is above them, and who may read each (its ACL).

A reader must pass the space, every restricted ancestor and the page itself. What is unknown denies.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.access.policy import Policy
from core.models import Page
from core.page_source import Readers, Space
from core.policy.acl import OPEN, Clauses
from indexer.state.plan import SpaceTreeNode


@dataclass
class SpaceTree:
    """The pages of a space by id, what is above them, and each one's own read restriction."""

    space: Space
    pages: dict[str, Page]
    policy: Policy
    nodes: dict[str, SpaceTreeNode] = field(default_factory=dict)
    readers: dict[str, Readers | None] = field(default_factory=dict)  # None: could not be read
    space_clauses: Clauses = OPEN
    _known: dict[str, Clauses | None] = field(default_factory=dict)

    def clauses(self, content_id: str) -> Clauses | None:
        """Who may read this; None, which denies all, when something on the way up is unknown."""
        if content_id not in self._known:
            self._known[content_id] = None  # a parent above itself: nobody may read it
            self._known[content_id] = self._clauses(content_id)
        return self._known[content_id]

    def acl(self, page: Page) -> Clauses | None:
        """Who may be shown this page by us: None for nobody; by default everybody or nobody."""
        clauses = self.clauses(page.id)
        return clauses if self.policy.aware or not clauses else None

    def forget_clauses(self) -> None:
        """After `readers` or `nodes` have changed."""
        self._known.clear()

    def path(self, page: Page) -> list[str]:
        """Ids of what is above a page, the nearest first."""
        path: list[str] = []
        above = page.parent_id
        while above and above not in path:
            path.append(above)
            above = self.parent_of(above)
        return path

    def above(self, page: Page) -> list[Page]:
        """The pages above it, outermost first, without what is in no listing."""
        path = reversed(self.path(page))
        return [self.pages[each] for each in path if each in self.pages]

    def children(self, page: Page) -> list[Page]:
        return self._children.get(page.id, [])

    def parent_of(self, content_id: str) -> str | None:
        found = self.pages.get(content_id) or self.nodes.get(content_id)
        return found.parent_id if found else None

    def unlisted_parents(self) -> dict[str, Page]:
        """Parents that no listing contains, each with one of the pages under it."""
        found: dict[str, Page] = {}
        for page in self.pages.values():
            if page.parent_id and page.parent_id not in self.pages:
                found[page.parent_id] = page
        return found

    def __post_init__(self) -> None:
        self._children: dict[str, list[Page]] = {}
        for page in self.pages.values():
            self._children.setdefault(page.parent_id or "", []).append(page)

    def _clauses(self, content_id: str) -> Clauses | None:
        readers = self.readers.get(content_id)
        if readers is None or self._is_closed_folder(content_id):
            return None
        own = self.policy.clause(readers)
        parent = self.parent_of(content_id)
        above = self.clauses(parent) if parent else self.space_clauses
        return None if above is None else own | above

    def _is_closed_folder(self, content_id: str) -> bool:
        node = self.nodes.get(content_id)
        return node is not None and self.policy.is_closed(node.kind)


def implies(mine: Clauses, theirs: Clauses) -> bool:
    """Whether everybody who passes the first passes the second.

    >>> a, ab = frozenset({"user:a"}), frozenset({"user:a", "user:b"})
    >>> implies(frozenset({a}), frozenset({ab})), implies(frozenset({ab}), frozenset({a}))
    (True, False)
    """
    return all(any(clause <= wider for clause in mine) for wider in theirs)
