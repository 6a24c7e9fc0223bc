"""Cache of the organization tree: one per process, updated with the pages that have changed."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from sqlmodel import Session, select

from core import logs
from core.pages import PageKey, PageKind
from core.storage.database import Database
from core.storage.index_tables import IndexRow, PageRow
from worker.entities.entities_file import Entity
from worker.entities.tree import Tree, TreePage, of_file, of_page

log = logs.get(__name__)


class CurrentTree:
    """One tree, of one revision of one index."""

    def __init__(self, database: Database, entities: Sequence[Entity]) -> None:
        self._database = database
        self._entities = entities
        self._lock = threading.Lock()
        self._version = ("", -1)
        self._pages: dict[PageKey, TreePage] = {}
        self._tree = Tree({})
        self._missing: frozenset[PageKey] = frozenset()

    def tree(self) -> Tree:
        """As of the revision that SQL has at this moment."""
        with self._lock, self._database.reading() as session:
            state = session.get(IndexRow, 1)
            version = (state.identity, state.revision) if state else ("", 0)
            if version != self._version:
                self._catch_up(session, *version)
            return self._tree

    def _catch_up(
        self,
        session: Session,
        identity: str,
        revision: int,
    ) -> None:
        known, since = self._version
        if identity != known or revision < since:
            self._pages, since = {}, -1
        changed = select(PageRow).where(PageRow.revision > since)
        pages = dict(self._pages)
        for row in session.exec(changed):
            pages.pop(row.key, None)
            if row.visible and row.record["kind"] == PageKind.PAGE:
                pages[row.key] = of_page(row.key, row.acl_id, row.record)
        self._pages, self._version = pages, (identity, revision)
        self._tree = Tree(pages, of_file(self._entities, pages))
        self._log_missing()

    def _log_missing(self) -> None:
        """Pages that entries name and the index does not hold: no reader sees these entries."""
        named = frozenset(node.page for node in self._tree.file)
        missing = named - self._pages.keys()
        new = missing - self._missing
        if new:
            ids = sorted(page.id for page in new if page.id.isdigit())
            log.warning("entities.pages_not_in_the_index", count=len(new), ids=ids)
        self._missing = missing
