"""Which pages are about the organization, and what everybody may read on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from core import organization_terms
from core.errors import SettingsError
from core.models import Evidence, Page
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow

_ABOUT = {
    "org",
    "orgchart",
    "org-chart",
    "organization",
    "organisation",
    "organigramm",
    "organigram",
    "organisationsplan",
    "aufbauorganisation",
}
_EVENTS = {
    "meeting", "meetings", "notes", "minutes", "sync", "retro", "agenda", "report", "offsite", "event", "template", "how", "guide",
    "protokoll", "sitzung", "besprechung", "notizen", "bericht", "vorlage", "ausflug", "anleitung",
}  # fmt: skip
TITLE_WORDS = 5  # of a title that is a name


@dataclass(frozen=True)
class Pages:
    """The pages that everybody may read."""

    by_id: dict[str, Page]

    def children(self, page: Page) -> list[Page]:
        return sorted(
            (each for each in self.by_id.values() if each.parent_id == page.id),
            key=lambda each: each.title.casefold(),
        )

    def depth(self, page: Page) -> int:
        """How many pages stand above it."""
        above: set[str] = set()
        while page.parent_id in self.by_id and page.parent_id not in above:
            above.add(page.parent_id)
            page = self.by_id[page.parent_id]
        return len(above)

    def chosen(self, wanted: Sequence[str]) -> list[Page]:
        """The pages of these ids or titles; without any, those that look like the organization.

        Raises:
            SettingsError: there is no such page, or not everybody may read it.
        """
        if not wanted:
            return [page for page in self.by_id.values() if is_about(page)]
        return [page for said in wanted for page in self._named(said)]

    def _named(self, said: str) -> list[Page]:
        found = [
            page
            for page in self.by_id.values()
            if said == page.id or said.casefold() == page.title.casefold()
        ]
        if not found:
            raise SettingsError(
                f"--page {said}: the index holds no page of this id or title that everybody may read"
            )
        return found


def open_pages(database: Database) -> Pages:
    with database.reading() as session:
        records = session.exec(
            select(PageRow.record)
            .where(col(PageRow.visible), PageRow.acl_id == OPEN_ID)
            .order_by(PageRow.id)
        ).all()
    pages = (Page.model_validate(record) for record in records)
    return Pages({page.id: page for page in pages if page.kind == "page"})


def pieces(database: Database, page: Page) -> list[Evidence]:
    """What everybody may read on a page, in reading order."""
    with database.reading() as session:
        rows = select(EvidenceRow.record).where(
            EvidenceRow.page_id == page.id, EvidenceRow.acl_id == OPEN_ID
        )
        found = [Evidence.model_validate(record) for record in session.exec(rows).all()]
    return sorted(found, key=lambda piece: piece.position)


def kind_of(title: str) -> str:
    """What a page named for one thing is: `Crane Team` and `Abteilung Einkauf`, but no page about teams and none about a meeting."""
    said = title.split()
    if not 1 < len(said) <= TITLE_WORDS or any(
        word.casefold() in _EVENTS or word.isdigit() for word in said
    ):
        return ""
    ends = ((word, organization_terms.unit(word)) for word in (said[-1], said[0]))
    return next((unit for word, unit in ends if unit and word.casefold() == unit.casefold()), "")


def listed_kind(text: str) -> str:
    """What a heading or a title promises a list of: `Our teams`, `Abteilungen im Werk`."""
    said = ((word, organization_terms.unit(word)) for word in re.findall(r"\w+", text))
    return next((unit for word, unit in said if unit and word.casefold() != unit.casefold()), "")


def is_about(page: Page) -> bool:
    said = {word.casefold() for word in re.findall(r"[\w-]+", page.title)}
    if said & _EVENTS:
        return False
    labels = {label.casefold() for label in page.labels}
    return bool(
        (said | labels) & _ABOUT
        or kind_of(page.title)
        or listed_kind(page.title)
        or any(map(organization_terms.unit, labels))
    )
