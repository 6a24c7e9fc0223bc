"""Access control at query time: asks Confluence whether the pages of evidence may still be read.

What was revoked a moment ago counts at once. Pages for everybody are confirmed for everybody:
neither they nor anything above them may be restricted now. What cannot be confirmed is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from itertools import compress

from sqlmodel import col, select

from core import logs
from core.confluence import Confluence
from core.errors import ConfluenceError, SettingsError
from core.models import Copy, Hit, Page
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import PageRow

CONCURRENCY = 4

log = logs.get(__name__)


class LiveAccess:
    """Drops the evidence that the reader may not read any more."""

    def __init__(self, confluence: Confluence | None, database: Database) -> None:
        """Without a `confluence` nothing is asked: every page in the index is for everybody."""
        self._confluence = confluence
        self._database = database
        # Kept, since each thread has its own connection to the site.
        self._pool = ThreadPoolExecutor(CONCURRENCY, thread_name_prefix="confirm")

    def confirmed(
        self,
        hits: Sequence[Hit],
        reader: Reader,
    ) -> tuple[Hit, ...]:
        if self._confluence is None:
            return tuple(hits)
        pages: dict[str, Page] = {}
        named: set[str] = set()
        for hit in hits:
            for copy in hit.everywhere:
                pages[copy.page.id] = copy.page
                named.update(copy.evidence.names)
        named -= pages.keys()
        if reader.account:
            page_ids = pages.keys() | named
            readable = self._for_account(self._confluence, page_ids, reader.account)
        else:
            pages |= self._indexed(named)
            readable = self._for_all(self._confluence, pages)
        return tuple(_only_readable(hits, readable))

    def _for_account(
        self,
        confluence: Confluence,
        pages: Iterable[str],
        account: str,
    ) -> set[str]:
        return self._allowed(pages, lambda page_id: confluence.may_read(account, page_id))

    def _for_all(
        self,
        confluence: Confluence,
        pages: dict[str, Page],
    ) -> set[str]:
        """The pages of which neither they nor anything above them is restricted."""
        try:
            paths = {page_id: self._path(confluence, page) for page_id, page in pages.items()}
        except ConfluenceError as error:
            log.warning("not_confirmed", error=str(error))
            return set()
        everything = set[str]().union(*paths.values())
        unrestricted = self._allowed(
            everything,
            lambda content_id: not confluence.readers(content_id),
        )
        return {page_id for page_id, path in paths.items() if path <= unrestricted}

    def _indexed(self, page_ids: Iterable[str]) -> dict[str, Page]:
        """These pages, as of the last sync."""
        of_pages = select(PageRow).where(col(PageRow.id).in_(list(page_ids)))
        with self._database.reading() as session:
            rows = session.exec(of_pages).all()
        return {row.id: Page.model_validate(row.record) for row in rows}

    def _path(self, confluence: Confluence, page: Page) -> set[str]:
        """The page and what is above it, by the index, or by Confluence where it has a gap."""
        path = {page.id}
        above = page.parent_id
        with self._database.reading() as session:
            while above and above not in path:
                path.add(above)
                row = session.get(PageRow, above)
                if row is None:
                    return path | set(confluence.ancestors(page))
                above = row.record.get("parent_id")
        return path

    def _allowed(
        self,
        ids: Iterable[str],
        is_allowed: Callable[[str], bool],
    ) -> set[str]:
        """The ids that are allowed, asked for concurrently; what fails is not."""

        def ask(content_id: str) -> bool:
            try:
                return is_allowed(content_id)
            except (ConfluenceError, SettingsError) as error:
                log.warning("not_confirmed", content=content_id, error=str(error))
                return False

        wanted = list(ids)
        return set(compress(wanted, self._pool.map(ask, wanted)))


def _only_readable(
    hits: Sequence[Hit],
    readable: Set[str],
) -> Iterator[Hit]:
    """Hits with the copies that may be read; the first of these takes the hit's place."""
    for hit in hits:
        left = [copy for copy in hit.everywhere if _is_readable(copy, readable)]
        if left:
            first, *copies = left
            changes = {
                "evidence": first.evidence,
                "page": first.page,
                "copies": tuple(copies),
            }
            yield hit.model_copy(update=changes)


def _is_readable(copy: Copy, readable: Set[str]) -> bool:
    return {copy.page.id, *copy.evidence.names} <= readable
