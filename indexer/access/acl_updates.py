"""Brings who may read what up to date before anything else: ACLs of pages, and what pages say of one another.

A page whose readers are unknown keeps its evidence under an ACL that nobody passes, so that nothing has to be made again when the answer
comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.evidence import EvidenceStore
from core.models import Page
from core.policy.acl import DENIED_ID
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.space_tree import Listing
from indexer.access.title_lookup import said_elsewhere
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage


class Guard:
    """Compares the ACLs of a listing with those of the index, as often as one of them may have changed."""

    def __init__(
        self,
        store: EvidenceStore,
        ledger: PageState,
        listing: Listing,
        names: MentionedTitles,
        known: dict[str, IndexedPage],
    ) -> None:
        """`known` is kept up to date here."""
        self._store = store
        self._ledger = ledger
        self._listing = listing
        self._names = names
        self._known = known

    def apply(self, counts: Counts) -> set[str]:
        """Change what readers may find; ids of the pages whose evidence has to be made because of it."""
        shown = [
            known
            for page_id, known in self._known.items()
            if known.visible and page_id in self._listing.pages
        ]
        changed = [each for each in shown if self._acl_id(each.page.id) != each.acl_id]
        outdated = self._outdated(shown)
        self._ledger.outdate(outdated)
        for page_id, titles in outdated.items():
            self._store.withhold(page_id, titles)
        self._withhold_elsewhere(each.page for each in changed)
        poorer = self._regrant(changed, counts)
        return (
            outdated.keys()
            | poorer
            | {
                page_id
                for page_id, known in self._known.items()
                if self._lacks_evidence(page_id, known)
            }
        )

    def gone(self, page: Page, counts: Counts, *, missing_since: float | None = None) -> None:
        """A page that readers may not find any more, nor its title."""
        self._store.hide(page, missing_since=missing_since)
        self._ledger.succeeded(page.id)  # nothing is owed to readers any more
        if page.id in self._known:
            self._known[page.id] = replace(self._known[page.id], visible=False, acl_id="")
        self._withhold_elsewhere([page])
        counts.hidden += 1

    def _lacks_evidence(self, page_id: str, known: IndexedPage) -> bool:
        page = self._listing.pages.get(page_id)
        return page is not None and not known.visible and self._listing.acl(page) is not None

    def _acl_id(self, page_id: str) -> str | None:
        """What the evidence of a page has to carry; None for no evidence at all."""
        if self._listing.clauses(page_id) is None:
            return DENIED_ID
        clauses = self._listing.acl(self._listing.pages[page_id])
        return None if clauses is None else self._ledger.save_acl(clauses)

    def _regrant(self, changed: Iterable[IndexedPage], counts: Counts) -> set[str]:
        """The ids of the pages that lost pieces by it."""
        groups: dict[tuple[str, str], list[str]] = {}
        for each in changed:
            now = self._acl_id(each.page.id)
            if now is None:
                self.gone(each.page, counts)
            else:
                groups.setdefault((each.acl_id, now), []).append(each.page.id)
        poorer: set[str] = set()
        for (before, now), page_ids in groups.items():
            poorer |= self._store.set_acl(page_ids, before=before, now=now)
            counts.regranted += len(page_ids)
            self._known.update(
                {page_id: replace(self._known[page_id], acl_id=now) for page_id in page_ids}
            )
        return poorer

    def _outdated(self, shown: Iterable[IndexedPage]) -> dict[str, list[str]]:
        """The pages that would say something else of others now, with what they must not say any more."""
        talkative = [each for each in shown if each.names]
        self._names.look_up(each.names for each in talkative)
        stale = {
            each.page.id: self._names.not_to_be_said(self._listing.pages[each.page.id], each.names)
            for each in talkative
        }
        return {
            each.page.id: stale[each.page.id]
            for each in talkative
            if self._names.is_outdated(self._listing.pages[each.page.id], each.names)
        }

    def _withhold_elsewhere(self, pages: Iterable[Page]) -> None:
        """Take the titles of these pages out of what pages of other spaces say, until those are read again."""
        titles = {page.title for page in pages if page.title}
        for page_id, said in (
            said_elsewhere(self._ledger.database, self._listing.space.key).items() if titles else ()
        ):
            if withheld := titles.intersection(said):
                self._ledger.outdate([page_id])
                self._store.withhold(page_id, withheld)
