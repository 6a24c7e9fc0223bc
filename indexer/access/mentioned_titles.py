"""Which titles of other pages a page may show: those of its child pages and of pages it links to.

A title is shown only where everybody who may read this page may read that one too. What was shown
is remembered with the page, so that the next sync sees when it has to change: another title, other
readers, another child.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.models import Page
from core.policy.acl import OPEN, Clauses
from indexer.access.space_tree import SpaceTree, implies
from indexer.access.title_lookup import NamedPage, look_up_pages
from indexer.parse import ChildPage, Document, PageName, Site
from indexer.state.page_state import PageState

CHILD, LINK = "child", "link"

# CHILD, id, ACL, title; or LINK, id, space, title as written, title as shown (empty: withheld)
Mention = tuple[str, ...]


class MentionedTitles:
    """Answers which titles of other pages may be shown on the pages of one space."""

    def __init__(self, tree: SpaceTree, page_state: PageState) -> None:
        self._tree = tree
        self._page_state = page_state
        self._by_title = {page.title: page.id for page in tree.pages.values()}
        self._elsewhere: dict[PageName, NamedPage | None] = {}

    def site(
        self,
        page: Page,
        people: Mapping[str, str],
    ) -> Site:
        """What the parser may show on this page."""
        return Site(
            people=people,
            children=tuple(self._children(page)),
            title_of=lambda name: self.title_of(page, name),
        )

    def title_of(self, page: Page, name: PageName) -> str | None:
        """The title of a linked page; None unless everybody who reads this page may read it too."""
        mine, target = self._tree.acl(page), self._target(name)
        if mine is None or target is None or not implies(mine, target.clauses):
            return None
        return target.title

    def mentions(
        self,
        page: Page,
        documents: Sequence[Document],
    ) -> list[Mention]:
        """What this page, with its comments and files, now shows of others, to be remembered."""
        names: dict[PageName, None] = {}
        for document in documents:
            names |= dict.fromkeys(document.names)
        mentions: list[Mention] = []
        for name in names:
            shown = self.title_of(page, name) or ""
            mentions.append((LINK, name.id, name.space, name.title, shown))
        if any(document.shows_children for document in documents):
            mentions += self._child_mentions(page)
        return mentions

    def is_outdated(self, page: Page, mentions: Sequence[Mention]) -> bool:
        """Whether the page would name other pages differently now."""
        children = {each for each in mentions if each[0] == CHILD}
        if children and children != set(self._child_mentions(page)):
            return True
        for name, shown in _links(mentions):
            now = self.title_of(page, name) or ""
            if now != shown:
                return True
        return False

    def titles_to_withhold(
        self,
        page: Page,
        mentions: Sequence[Mention],
    ) -> list[str]:
        """The titles that the page shows and must not any more, whatever else is outdated."""
        now = {child.id: child.acl_id for child in self._children(page)}
        titles: list[str] = []
        for kind, page_id, acl_id, title, *_ in mentions:
            if kind == CHILD and now.get(page_id) != acl_id:
                titles.append(title)
        for name, shown in _links(mentions):
            if self.title_of(page, name) is None:
                titles.append(shown)
        return list(filter(None, titles))

    def look_up(self, mentions: Iterable[Sequence[Mention]]) -> None:
        """Look up pages of other spaces all at once, before they are asked for one by one."""
        elsewhere: set[PageName] = set()
        for of_page in mentions:
            for name, _ in _links(of_page):
                if self._page_here(name) is None:
                    elsewhere.add(name)
        self._look_up_elsewhere(list(elsewhere))

    def _look_up_elsewhere(self, names: Sequence[PageName]) -> None:
        database = self._page_state.database
        self._elsewhere |= look_up_pages(database, names, self._tree.space.key)

    def _target(self, name: PageName) -> NamedPage | None:
        here = self._page_here(name)
        if here is not None:
            clauses = self._tree.acl(here)
            return None if clauses is None else NamedPage(here.title, clauses)
        if name not in self._elsewhere:
            self._look_up_elsewhere([name])
        return self._elsewhere[name]

    def _page_here(self, name: PageName) -> Page | None:
        """The page of this space that is meant."""
        page_id = name.id
        if not page_id and name.space in ("", self._tree.space.key):
            page_id = self._by_title.get(name.title, "")
        return self._tree.pages.get(page_id)

    def _child_mentions(self, page: Page) -> list[Mention]:
        mentions: list[Mention] = []
        for child in self._children(page):
            mention = (CHILD, child.id, child.acl_id, child.title)
            mentions.append(mention)
        # A marker is stored for "no children", so that the first child is noticed.
        return mentions or [(CHILD, "", "", "")]

    def _children(self, page: Page) -> Iterator[ChildPage]:
        """The child pages that somebody may be shown, with the ACL that naming them takes."""
        mine = self._tree.acl(page) or OPEN
        for child in self._tree.children(page):
            theirs = self._tree.acl(child)
            if theirs is not None:
                yield ChildPage(child.id, child.title, self._acl_id(mine, theirs))

    def _acl_id(self, mine: Clauses, theirs: Clauses) -> str:
        return "" if implies(mine, theirs) else self._page_state.save_acl(mine | theirs)


def _links(mentions: Iterable[Mention]) -> Iterator[tuple[PageName, str]]:
    """The pages that are linked to, each with its title as shown."""
    for kind, *rest in mentions:
        if kind == LINK:
            page_id, space, title, shown = rest
            yield PageName(space=space, title=title, id=page_id), shown
