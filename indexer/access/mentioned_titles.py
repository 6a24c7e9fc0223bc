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
from indexer.parse import ChildPage, Document, PageName, PageTitle, Site
from indexer.state.mentions import ChildMention, LinkMention, Mention
from indexer.state.page_state import PageState


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
            page_title=page.title,
            people=people,
            children=tuple(self._children(page)),
            title_of=lambda name: self.title_of(page, name),
            page_of=self.page_of,
        )

    def title_of(self, page: Page, name: PageName) -> str | None:
        """The title of a linked page; None unless everybody who reads this page may read it too."""
        mine, target = self._tree.acl(page), self._target(name)
        if mine is None or target is None or not implies(mine, target.clauses):
            return None
        return target.title

    def page_of(self, name: PageName) -> PageTitle | None:
        """Which page is meant, whoever may read it; None where the index does not say."""
        found = self._page_here(name) or self._elsewhere_at(name)
        return None if found is None else PageTitle(found.id, found.title)

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
            link = LinkMention(id=name.id, space=name.space, title=name.title, shown=shown)
            mentions.append(link)
        if any(document.shows_children for document in documents):
            mentions += self._child_mentions(page)
        return mentions

    def is_outdated(self, page: Page, mentions: Sequence[Mention]) -> bool:
        """Whether the page would name other pages differently now."""
        children = {each for each in mentions if isinstance(each, ChildMention)}
        if children and children != set(self._child_mentions(page)):
            return True
        links = _links(mentions)
        return any((self.title_of(page, _name(each)) or "") != each.shown for each in links)

    def titles_to_withhold(
        self,
        page: Page,
        mentions: Sequence[Mention],
    ) -> list[str]:
        """The titles that the page shows and must not any more, whatever else is outdated."""
        now = {child.id: child.acl_id for child in self._children(page)}
        titles: list[str] = []
        for each in mentions:
            if isinstance(each, ChildMention):
                is_right = now.get(each.id) == each.acl_id
            else:
                is_right = self.title_of(page, _name(each)) is not None
            if each.shown and not is_right:
                titles.append(each.shown)
        return titles

    def look_up(self, mentions: Iterable[Sequence[Mention]]) -> None:
        """Look up pages of other spaces all at once, before they are asked for one by one."""
        elsewhere: set[PageName] = set()
        for of_page in mentions:
            for name in map(_name, _links(of_page)):
                if self._page_here(name) is None:
                    elsewhere.add(name)
        self._look_up_elsewhere(list(elsewhere))

    def _look_up_elsewhere(self, names: Sequence[PageName]) -> None:
        state = self._page_state
        self._elsewhere |= look_up_pages(state.database, state.source, names, self._tree.space.key)

    def _target(self, name: PageName) -> NamedPage | None:
        here = self._page_here(name)
        if here is not None:
            clauses = self._tree.acl(here)
            return None if clauses is None else NamedPage(here.id, here.title, clauses)
        return self._elsewhere_at(name)

    def _elsewhere_at(self, name: PageName) -> NamedPage | None:
        if name not in self._elsewhere:
            self._look_up_elsewhere([name])
        return self._elsewhere[name]

    def _page_here(self, name: PageName) -> Page | None:
        """The page of this space that is meant."""
        page_id = name.id
        if not page_id and name.space in ("", self._tree.space.key):
            page_id = self._by_title.get(name.title, "")
        return self._tree.pages.get(page_id)

    def _child_mentions(self, page: Page) -> list[ChildMention]:
        mentions: list[ChildMention] = []
        for child in self._children(page):
            mention = ChildMention(id=child.id, acl_id=child.acl_id, shown=child.title)
            mentions.append(mention)
        # A marker is stored for "no children", so that the first child is noticed.
        return mentions or [ChildMention()]

    def _children(self, page: Page) -> Iterator[ChildPage]:
        """The child pages that somebody may be shown, with the ACL that naming them takes."""
        mine = self._tree.acl(page) or OPEN
        for child in self._tree.children(page):
            theirs = self._tree.acl(child)
            if theirs is not None:
                yield ChildPage(child.id, child.title, self._acl_id(mine, theirs))

    def _acl_id(self, mine: Clauses, theirs: Clauses) -> str:
        return "" if implies(mine, theirs) else self._page_state.save_acl(mine | theirs)


def _links(mentions: Iterable[Mention]) -> list[LinkMention]:
    return [each for each in mentions if isinstance(each, LinkMention)]


def _name(link: LinkMention) -> PageName:
    return PageName(space=link.space, title=link.title, id=link.id)
