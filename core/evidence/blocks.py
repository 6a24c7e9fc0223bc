"""Pieces of whole pages, to expand a hit: the rest of its block, the other rows of its table."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import select

from core.evidence.filters import readable_evidence
from core.models import Evidence
from core.pages import PageKey
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, is_on_page


class Blocks:
    """Looks pages up in SQL, as of now."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pieces(self, pages: Collection[PageKey], reader: Reader) -> dict[PageKey, list[Evidence]]:
        """Every piece of these pages that the reader may see, in the order of the page."""
        readable = select(EvidenceRow).join(PageRow).where(*readable_evidence(reader))
        with self._database.reading() as session:
            rows = session.exec(readable.where(is_on_page(pages))).all()
        found: dict[PageKey, list[Evidence]] = {page: [] for page in pages}
        for row in rows:
            found[row.page].append(Evidence.model_validate(row.record))
        for pieces in found.values():
            pieces.sort(key=lambda piece: piece.position)
        return found
