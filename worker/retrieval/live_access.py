"""Access control at query time: asks its source whether a page may still be read.

What was revoked a moment ago counts at once. Pages for everybody are confirmed for everybody:
neither they nor anything above them may be restricted now. What cannot be confirmed is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from itertools import compress

from sqlmodel import select

from core import logs
from core.errors import SettingsError, SourceError
from core.models import Hit, Page
from core.page_source import PageSource
from core.pages import PageKey
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page

CONCURRENCY = 4

log = logs.get(__name__)


class LiveAccess:
    """Drops the evidence that the reader may not read any more."""

    def __init__(self, sources: Sequence[PageSource], database: Database) -> None:
        """Without `sources` nothing is asked: every page in the index is for everybody."""
        self._sources = {source.name: source for source in sources}
        self._database = database
        # Kept, since each thread has its own connection to the site.
        self._pool = ThreadPoolExecutor(CONCURRENCY, thread_name_prefix="confirm")

    def confirmed(
        self,
        hits: Sequence[Hit],
        reader: Reader,
    ) -> tuple[Hit, ...]:
        if not self._sources:
            return tuple(hits)
        pages: dict[PageKey, Page] = {}
        named: set[PageKey] = set()
        for hit in hits:
            for copy in hit.everywhere:
                pages[copy.page.key] = copy.page
                named |= copy.pages
        named -= pages.keys()
        if reader.account:
            readable = self._for_account(pages.keys() | named, reader.account)
        else:
            readable = self._for_all(pages | self._indexed(named))
        return tuple(_only_readable(hits, readable))

    def _for_account(self, pages: Iterable[PageKey], account: str) -> set[PageKey]:
        def may(source: PageSource, page_id: str) -> bool:
            page = Page(source=source.name, id=page_id, space="", title="", url="")
            return source.visible_to(account, [page], most=12).get(page_id, False)

        return self._allowed(pages, may)

    def _for_all(self, pages: Mapping[PageKey, Page]) -> set[PageKey]:
        """The pages of which neither they nor anything above them is restricted."""
        try:
            paths = {key: self._path(page) for key, page in pages.items()}
        except SourceError as error:
            log.warning("not_confirmed", error=str(error))
            return set()
        everything = set[PageKey]().union(*paths.values())
        unrestricted = self._allowed(
            everything,
            lambda source, content_id: not source.readers(content_id),
        )
        return {key for key, path in paths.items() if path <= unrestricted}

    def _indexed(self, pages: Iterable[PageKey]) -> dict[PageKey, Page]:
        """These pages, as of the last sync."""
        with self._database.reading() as session:
            rows = session.exec(select(PageRow).where(is_page(pages))).all()
        return {row.key: Page.model_validate(row.record) for row in rows}

    def _path(self, page: Page) -> set[PageKey]:
        """The page and what is above it, by the index, or by its source where that has a gap."""
        path = {page.key}
        above = page.parent_id
        with self._database.reading() as session:
            while above and (key := PageKey(page.source, above)) not in path:
                path.add(key)
                row = session.get(PageRow, key)
                if row is None:
                    return path | self._ancestors(page)
                above = row.record.get("parent_id")
        return path

    def _ancestors(self, page: Page) -> set[PageKey]:
        source = self._sources.get(page.source)
        above = source.ancestors(page) if source else ()
        return {PageKey(page.source, each) for each in above}

    def _allowed(
        self,
        keys: Iterable[PageKey],
        is_allowed: Callable[[PageSource, str], bool],
    ) -> set[PageKey]:
        """Those that are allowed, asked for concurrently; what fails or cannot be asked is not."""

        def ask(key: PageKey) -> bool:
            source = self._sources.get(key.source)
            try:
                return source is not None and is_allowed(source, key.id)
            except (SourceError, SettingsError) as error:
                log.warning("not_confirmed", content=str(key), error=str(error))
                return False

        wanted = list(keys)
        return set(compress(wanted, self._pool.map(ask, wanted)))


def _only_readable(
    hits: Sequence[Hit],
    readable: Set[PageKey],
) -> Iterator[Hit]:
    """Hits with the copies that may be read; the first of these takes the hit's place."""
    for hit in hits:
        left = [copy for copy in hit.everywhere if copy.pages <= readable]
        if left:
            first, *copies = left
            changes = {
                "evidence": first.evidence,
                "page": first.page,
                "copies": tuple(copies),
            }
            yield hit.model_copy(update=changes)
