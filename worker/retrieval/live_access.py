"""Asks Confluence, just before evidence is used, whether its pages may be read: what was revoked a moment ago counts at once.

Pages for everybody are confirmed for everybody: neither they nor anything above them may be restricted now. Whatever cannot be
confirmed is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import col, select

from core import logs
from core.confluence import Confluence
from core.errors import ConfluenceError, SettingsError
from core.models import Hit, Page
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import PageRow

AT_ONCE = 4

log = logs.get(__name__)


class LiveAccess:
    """Drops the evidence that the reader may not read any more."""

    def __init__(self, confluence: Confluence | None, database: Database) -> None:
        """Without a `confluence` nothing is asked: every page in the index is for everybody, as of the last sync."""
        self._confluence = confluence
        self._database = database
        self._pool = ThreadPoolExecutor(
            AT_ONCE, thread_name_prefix="confirm"
        )  # kept: each thread has its connection to the site

    def confirmed(self, hits: Sequence[Hit], reader: Reader) -> tuple[Hit, ...]:
        if self._confluence is None:
            return tuple(hits)
        everywhere = [copy for hit in hits for copy in hit.everywhere]
        pages = {copy.page.id: copy.page for copy in everywhere}
        named = {name for copy in everywhere for name in copy.evidence.names} - pages.keys()
        if reader.account:
            readable = self._for_account(self._confluence, pages.keys() | named, reader.account)
        else:
            readable = self._for_all(self._confluence, self._indexed(named) | pages)
        return tuple(filter(None, (_of_the_readable(hit, readable) for hit in hits)))

    def _for_account(self, confluence: Confluence, pages: Iterable[str], account: str) -> set[str]:
        return self._those(pages, lambda page_id: confluence.may_read(account, page_id))

    def _for_all(self, confluence: Confluence, pages: dict[str, Page]) -> set[str]:
        """The pages of which neither they nor anything above them is restricted."""
        try:
            paths = {page_id: self._path(confluence, page) for page_id, page in pages.items()}
        except ConfluenceError as error:
            log.warning("not_confirmed", error=str(error))
            return set()
        open_ = self._those(
            set().union(*paths.values()), lambda content_id: not confluence.readers(content_id)
        )
        return {page_id for page_id, path in paths.items() if open_.issuperset(path)}

    def _indexed(self, page_ids: Iterable[str]) -> dict[str, Page]:
        """These pages, as of the last sync."""
        with self._database.reading() as session:
            rows = session.exec(select(PageRow).where(col(PageRow.id).in_(list(page_ids)))).all()
        return {row.id: Page.model_validate(row.record) for row in rows}

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
        return {
            content_id
            for content_id, allowed in zip(wanted, self._pool.map(ask, wanted), strict=True)
            if allowed
        }


def _of_the_readable(hit: Hit, readable: Collection[str]) -> Hit | None:
    """The hit with those of its copies that may be read; one of them speaks for it where it may not be read itself."""
    left = [
        copy for copy in hit.everywhere if {copy.page.id, *copy.evidence.names} <= set(readable)
    ]
    if not left:
        return None
    return hit.model_copy(
        update={"evidence": left[0].evidence, "page": left[0].page, "copies": tuple(left[1:])}
    )
