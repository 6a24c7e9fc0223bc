"""Brings ACLs up to date before anything else, and the titles that pages show of one another.

A page whose readers are unknown keeps its evidence under an ACL that nobody passes, so that
nothing has to be made again when the answer comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.evidence import EvidenceStore
from core.models import Page
from core.pages import PageKey
from core.policy.acl import DENIED_ID
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.space_tree import SpaceTree
from indexer.access.title_lookup import titles_shown_elsewhere
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage


class AclUpdater:
    """Compares the ACLs of a listing with those of the index, whenever either may have changed."""

    def __init__(
        self,
        store: EvidenceStore,
        page_state: PageState,
        tree: SpaceTree,
        titles: MentionedTitles,
        known: dict[str, IndexedPage],
    ) -> None:
        """`known` is kept up to date here."""
        self._store = store
        self._page_state = page_state
        self._tree = tree
        self._titles = titles
        self._known = known

    def apply(self, counts: Counts) -> set[str]:
        """Change what readers may find; ids of the pages that need their evidence made for it."""
        shown = list(self._shown())
        changed = [each for each in shown if self._acl_id(each.page.id) != each.acl_id]
        outdated = self._outdated(shown)
        self._page_state.mark_outdated(outdated)
        for page_id, titles in outdated.items():
            self._store.withhold(self._tree.pages[page_id].key, titles)
        self._withhold_elsewhere({each.page.title for each in changed})
        lost_pieces = self._replace_acls(changed, counts)
        return outdated.keys() | lost_pieces | set(self._without_evidence())

    def hide(
        self,
        page: Page,
        counts: Counts,
        *,
        missing_since: float | None = None,
    ) -> None:
        """Take away a page that readers may not find any more, nor its title."""
        self._store.hide(page, missing_since=missing_since)
        self._page_state.clear_failure(page.id)  # nothing is owed to readers any more
        if page.id in self._known:
            known = self._known[page.id]
            self._known[page.id] = replace(known, visible=False, acl_id="")
        self._withhold_elsewhere({page.title})
        counts.hidden += 1

    def _shown(self) -> Iterator[IndexedPage]:
        """The listed pages that readers find now."""
        for page_id, known in self._known.items():
            if known.visible and page_id in self._tree.pages:
                yield known

    def _without_evidence(self) -> Iterator[str]:
        """Ids of the pages that somebody may be shown, and that have no evidence."""
        for page_id, known in self._known.items():
            page = self._tree.pages.get(page_id)
            if page is None or known.visible:
                continue
            if self._tree.acl(page) is not None:
                yield page_id

    def _acl_id(self, page_id: str) -> str | None:
        """What the evidence of a page has to carry; None for no evidence at all."""
        if self._tree.clauses(page_id) is None:
            return DENIED_ID
        clauses = self._tree.acl(self._tree.pages[page_id])
        return None if clauses is None else self._page_state.save_acl(clauses)

    def _replace_acls(
        self,
        changed: Iterable[IndexedPage],
        counts: Counts,
    ) -> set[str]:
        """The ids of the pages that lost pieces by it."""
        groups: dict[tuple[str, str], list[PageKey]] = {}
        for each in changed:
            now = self._acl_id(each.page.id)
            if now is None:
                self.hide(each.page, counts)
            else:
                groups.setdefault((each.acl_id, now), []).append(each.page.key)
        lost_pieces: set[str] = set()
        for (before, now), pages in groups.items():
            losing = self._store.set_acl(pages, before=before, now=now)
            lost_pieces.update(page.id for page in losing)
            counts.regranted += len(pages)
            for page in pages:
                self._known[page.id] = replace(self._known[page.id], acl_id=now)
        return lost_pieces

    def _outdated(self, shown: Iterable[IndexedPage]) -> dict[str, list[str]]:
        """The pages that would name others differently now, with the titles to withhold on each."""
        naming = [each for each in shown if each.mentions]
        self._titles.look_up(each.mentions for each in naming)
        outdated: dict[str, list[str]] = {}
        for each in naming:
            page = self._tree.pages[each.page.id]
            if self._titles.is_outdated(page, each.mentions):
                outdated[page.id] = self._titles.titles_to_withhold(page, each.mentions)
        return outdated

    def _withhold_elsewhere(self, titles: set[str]) -> None:
        """Take these titles out of what pages of other spaces say, until those are read again."""
        titles = titles - {""}
        if not titles:
            return
        state = self._page_state
        shown = titles_shown_elsewhere(state.database, state.source, self._tree.space.key)
        for page, others in shown.items():
            withheld = titles.intersection(others)
            if withheld:
                state.mark_outdated([page.id])
                self._store.withhold(page, withheld)
