"""What the console is made of: the database, settings, whom to ask who may read a page, an encoder.

Whoever builds it hands in what lives in other programs: the doctor's findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import select

from core.access.authorizer import Authorizer
from core.embeddings import Vectors
from core.manner import Manner
from core.models import Page, Record
from core.pages import PageKey
from core.policy.acl import EVERYBODY, OPEN_ID
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page


@dataclass(frozen=True)
class Ailment:
    """Something that is not well, as `groundwire doctor` says it, with its cure."""

    state: str  # ok, warning, wrong, not tried
    says: str
    cure: str


@dataclass(frozen=True)
class ConsoleParts:
    """All that rooms work with."""

    settings: Settings
    database: Database
    control: Authorizer
    embed: Callable[[Sequence[str]], Vectors]
    look: Callable[[], Sequence[Ailment]]  # takes seconds
    # Answers a question as everybody may ask it, in this manner, by a model or without one.
    again: Callable[[str, Manner, bool], Record]

    def open_pages(self, pages: Iterable[PageKey]) -> Mapping[PageKey, Page]:
        """Those of the pages that everybody may read, as their site says now."""
        wanted = set(pages)
        with self.database.reading() as session:
            indexed = select(PageRow).where(is_page(wanted), PageRow.acl_id == OPEN_ID)
            rows = session.exec(indexed).all() if wanted else []
        found = {row.key: Page.model_validate(row.record) for row in rows}
        allowed = self.are_open(found)
        return {key: page for key, page in found.items() if key in allowed}

    def are_open(self, pages: Iterable[PageKey]) -> frozenset[PageKey]:
        """Which of them everybody may read; none of those about which nobody can be asked."""
        wanted = list(pages)
        return self.control.check_all(wanted, EVERYBODY).allowed if wanted else frozenset()
