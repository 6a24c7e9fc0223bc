"""What a page says of other pages: titles of child pages and of pages it links to, which are not its own to tell.

A title is shown only where everybody who may read this page may read that one too. What was shown is remembered with the page, so that
the next sync sees when it has to change: another title, other readers, another child.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.models import Page
from core.policy.acl import OPEN, Clauses
from indexer.access.space_tree import Listing, implies
from indexer.access.title_lookup import NamedPage, places
from indexer.parse import ChildPage, Document, PageName, Site
from indexer.state.page_state import PageState

CHILD, LINK = "child", "link"

Said = tuple[
    str, ...
]  # CHILD, id, ACL, title; or LINK, id, space, title as written, title as shown (empty: withheld)


class MentionedTitles:
    """Answers what may be said of other pages on the pages of one space."""

    def __init__(self, listing: Listing, ledger: PageState) -> None:
        self._listing = listing
        self._ledger = ledger
        self._by_title = {page.title: page.id for page in listing.pages.values()}
        self._elsewhere: dict[PageName, NamedPage | None] = {}

    def site(self, page: Page, people: Mapping[str, str]) -> Site:
        """What the parser may show on this page."""
        return Site(
            people=people,
            children=self._children(page),
            title_of=lambda name: self.title_of(page, name),
        )

    def title_of(self, page: Page, name: PageName) -> str | None:
        """The title of a page that a link names; None when not everybody who reads this page may read that one."""
        mine, target = self._listing.acl(page), self._target(name)
        if mine is None or target is None or not implies(mine, target.clauses):
            return None
        return target.title

    def said(self, page: Page, documents: Sequence[Document]) -> list[Said]:
        """What this page now says of others, in its body, its comments and its files, to be remembered."""
        names = dict.fromkeys(name for document in documents for name in document.names)
        links = [
            (LINK, name.id, name.space, name.title, self.title_of(page, name) or "")
            for name in names
        ]
        return [
            *links,
            *(
                self._children_said(page)
                if any(document.shows_children for document in documents)
                else ()
            ),
        ]

    def is_outdated(self, page: Page, said: Sequence[Said]) -> bool:
        """Whether it would say something else now."""
        children = {each for each in said if each[0] == CHILD}
        shows_children = bool(children) and children != set(self._children_said(page))
        return shows_children or any(
            self._shown_now(page, each) != each[-1] for each in said if each[0] == LINK
        )

    def not_to_be_said(self, page: Page, said: Sequence[Said]) -> list[str]:
        """The titles that stand there and must not any more, whatever else is outdated."""
        now = {child.id: child.acl_id for child in self._children(page)}
        children = [
            title
            for kind, page_id, acl_id, title, *_ in said
            if kind == CHILD and now.get(page_id) != acl_id
        ]
        links = [
            each[-1]
            for each in said
            if each[0] == LINK and self.title_of(page, _name(each)) is None
        ]
        return [title for title in (*children, *links) if title]

    def look_up(self, said: Iterable[Sequence[Said]]) -> None:
        """Read what the index knows of pages in other spaces, all at once, before they are asked for one by one."""
        names = {_name(each) for page in said for each in page if each[0] == LINK}
        self._elsewhere |= places(
            self._ledger.database,
            [name for name in names if self._here(name) is None],
            self._listing.space.key,
        )

    def _shown_now(self, page: Page, said: Said) -> str:
        return self.title_of(page, _name(said)) or ""

    def _target(self, name: PageName) -> NamedPage | None:
        here = self._here(name)
        if here is not None:
            clauses = self._listing.acl(here)
            return None if clauses is None else NamedPage(here.title, clauses)
        if name not in self._elsewhere:
            self._elsewhere |= places(self._ledger.database, [name], self._listing.space.key)
        return self._elsewhere[name]

    def _here(self, name: PageName) -> Page | None:
        """The page of this space that is meant."""
        own = name.space in ("", self._listing.space.key)
        return self._listing.pages.get(
            name.id or (self._by_title.get(name.title, "") if own else "")
        )

    def _children_said(self, page: Page) -> list[Said]:
        found: list[Said] = [
            (CHILD, child.id, child.acl_id, child.title) for child in self._children(page)
        ]
        return found or [
            (CHILD, "", "", "")
        ]  # that there are none is remembered too: the first one has to be noticed

    def _children(self, page: Page) -> tuple[ChildPage, ...]:
        """The child pages with the ACL that naming them takes; those that nobody may be shown are left out."""
        mine = self._listing.acl(page) or OPEN
        readable = ((child, self._listing.acl(child)) for child in self._listing.children(page))
        return tuple(
            ChildPage(child.id, child.title, self._acl_id(mine, theirs))
            for child, theirs in readable
            if theirs is not None
        )

    def _acl_id(self, mine: Clauses, theirs: Clauses) -> str:
        return "" if implies(mine, theirs) else self._ledger.save_acl(mine | theirs)


def _name(said: Said) -> PageName:
    _, page_id, space, title, _ = said
    return PageName(space=space, title=title, id=page_id)
