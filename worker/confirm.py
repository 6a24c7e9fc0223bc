"""Asks Confluence, just before evidence is used, whether its pages may be read: what was revoked a moment ago counts at once.

Pages for everybody are confirmed for everybody: neither they nor anything above them may be restricted now. Whatever cannot be
confirmed is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from core import logs
from core.access import Reader
from core.confluence import Confluence
from core.database import Database
from core.errors import ConfluenceError, SettingsError
from core.models import Hit, Page
from core.tables import PageRow

AT_ONCE = 4

log = logs.get(__name__)


class Confirmer:
    """Drops the evidence that the reader may not read any more."""

    def __init__(self, confluence: Confluence | None, database: Database) -> None:
        """Without a `confluence` nothing is asked: every page in the index is for everybody, as of the last sync."""
        self._confluence = confluence
        self._database = database
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="confirm")  # kept: each thread has its connection to the site

    def confirmed(self, hits: Sequence[Hit], reader: Reader) -> tuple[Hit, ...]:
        if self._confluence is None:
            return tuple(hits)
        pages = {hit.page.id: hit.page for hit in hits}
        if reader.account:
            named = {name for hit in hits for name in hit.evidence.names}
            readable = self._for_account(self._confluence, pages.keys() | named, reader.account)
        else:
            readable = self._for_all(self._confluence, pages)
        return tuple(hit for hit in hits if readable.issuperset([hit.page.id, *hit.evidence.names]))

    def _for_account(self, confluence: Confluence, pages: Iterable[str], account: str) -> set[str]:
        return self._those(pages, lambda page_id: confluence.may_read(account, page_id))

    def _for_all(self, confluence: Confluence, pages: dict[str, Page]) -> set[str]:
        """The pages of which neither they nor anything above them is restricted."""
        try:
            paths = {page_id: self._path(confluence, page) for page_id, page in pages.items()}
        except ConfluenceError as error:
            log.warning("not_confirmed", error=str(error))
            return set()
        open_ = self._those(set().union(*paths.values()), lambda content_id: not confluence.readers(content_id))
        return {page_id for page_id, path in paths.items() if open_.issuperset(path)}

    def _path(self, confluence: Confluence, page: Page) -> set[str]:
        """The page and what is above it: as of the last sync, or as Confluence says where the index does not know the way up."""
        path, above = {page.id}, page.parent_id
        with self._database.reading() as session:
            while above and above not in path:
                path.add(above)
                row = session.get(PageRow, above)
                if row is None:
                    return path | set(confluence.ancestors(page))
                above = row.record.get("parent_id")
        return path

    def _those(self, ids: Iterable[str], is_allowed: Callable[[str], bool]) -> set[str]:
        """The ids that are allowed, asked for a few at a time; what fails is not."""

        def ask(content_id: str) -> bool:
            try:
                return is_allowed(content_id)
            except (ConfluenceError, SettingsError) as error:
                log.warning("not_confirmed", content=content_id, error=str(error))
                return False

        wanted = list(ids)
        return {content_id for content_id, allowed in zip(wanted, self._pool.map(ask, wanted), strict=True) if allowed}
