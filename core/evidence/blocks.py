"""Pieces of whole pages, to expand a hit: the rest of its block, the other rows of its table."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import col, select

from core.evidence.filters import readable_evidence
from core.models import Evidence
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow


class Blocks:
    """Looks pages up in SQL, as of now."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pieces(self, page_ids: Collection[str], reader: Reader) -> dict[str, list[Evidence]]:
        """Every piece of these pages that the reader may see, in the order of the page."""
        of_pages = col(EvidenceRow.page_id).in_(page_ids)
        query = select(EvidenceRow).join(PageRow).where(of_pages, *readable_evidence(reader))
        with self._database.reading() as session:
            rows = session.exec(query).all()
        stored = [Evidence.model_validate(row.record) for row in rows]
        found: dict[str, list[Evidence]] = {page_id: [] for page_id in page_ids}
        for piece in sorted(stored, key=lambda piece: piece.position):
            found[piece.page_id].append(piece)
        return found
