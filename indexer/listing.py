"""A space as it is now, and who may read it, in the default mode: only pages that nobody is kept from reading.

A reader must pass every restricted ancestor and the page itself; what could not be read counts as restricted.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core import logs
from core.errors import ConfluenceError
from core.models import Page
from indexer.confluence import Confluence, Space
from indexer.ledger import Ledger
from indexer.plan import Indexed

RESCAN_S = 24 * 3600.0  # restrictions of unchanged pages, which no listing reports, are read again after this long
RESCANS = 200  # of them in one sync at most, the oldest first

log = logs.get(__name__)


@dataclass(frozen=True)
class Listing:
    """The pages of a space by id, and which of them, or of the folders above them, are restricted by themselves."""

    space: Space
    pages: Mapping[str, Page]
    restricted: dict[str, bool | None] = field(default_factory=dict)

    def is_open(self, page: Page) -> bool:
        """Whether everybody who may read the space may read this page; an ancestor that nothing is known of denies."""
        seen: set[str] = set()
        current: str | None = page.id
        while current is not None and current not in seen:
            if self.restricted.get(current, True) is not False:
                return False
            seen.add(current)
            current = self.pages[current].parent_id if current in self.pages else None
        return True

    def child_titles(self, page: Page) -> list[str]:
        """Of the children that everybody may read: the title of another one must not show through its parent."""
        return [child.title for child in self.pages.values() if child.parent_id == page.id and self.is_open(child)]


def read_restrictions(
    confluence: Confluence, ledger: Ledger, listing: Listing, changed: Sequence[Page], known: Mapping[str, Indexed]
) -> None:
    """Fill in `listing.restricted`: of changed pages at once, of the others when it was long ago, and of folders."""
    listing.restricted.update({page_id: indexed.restricted for page_id, indexed in known.items()})
    for page in {page.id: page for page in (*changed, *_long_ago(listing, known))}.values():
        listing.restricted[page.id] = _restriction(confluence, page)
        ledger.save_restriction(page, listing.restricted[page.id])
    # Under a folder, or a page that is not current: what the index says of it alone would leave out what stands above it.
    unlisted = {page.parent_id: page for page in listing.pages.values() if page.parent_id and page.parent_id not in listing.pages}
    for above, page in unlisted.items():
        listing.restricted[above] = _restriction_above(confluence, page)


def _long_ago(listing: Listing, known: Mapping[str, Indexed]) -> list[Page]:
    by_age = sorted((indexed.restrictions_read_at, page_id) for page_id, indexed in known.items() if page_id in listing.pages)
    return [listing.pages[page_id] for read_at, page_id in by_age if read_at < time.time() - RESCAN_S][:RESCANS]


def _restriction(confluence: Confluence, page: Page) -> bool | None:
    """Whether this very page is restricted; None when that could not be read, which hides it."""
    try:
        return confluence.is_restricted(page.id)
    except ConfluenceError as error:
        log.warning("restrictions.unknown", page=page.id, error=str(error))
        return None


def _restriction_above(confluence: Confluence, page: Page) -> bool | None:
    """Whether anything above a page is restricted whose parent no listing of pages contains; None when that cannot be known.

    Confluence answers for a folder that nobody is kept from it, whoever is (CONFCLOUD-82920), so its word is not taken for that
    unless the operator vouches for the folders.
    """
    try:
        above = confluence.ancestors(page)
        if page.parent_id not in above:
            log.warning("ancestors.unknown", page=page.id, error="the parent is not among the ancestors")
            return None
        if not confluence.folders_are_open and set(above.values()) != {"page"}:
            log.warning("folder.closed", page=page.id, cure="if no folder of the space is restricted: CONFLUENCE_FOLDERS=open")
            return None
        return any(confluence.is_restricted(ancestor) for ancestor in above)
    except ConfluenceError as error:
        log.warning("ancestors.unknown", page=page.id, error=str(error))
        return None
