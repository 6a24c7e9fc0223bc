"""Selects the pages about the organization, and the evidence on them that everybody may read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from core import grammar, organization_terms
from core.errors import SettingsError
from core.models import Evidence, Page
from core.pages import PageKey, PageKind
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, is_on_page

_WORDS = grammar.merged().drafting
_ABOUT = frozenset(_WORDS.about)
_EVENTS = frozenset(_WORDS.events)
TITLE_WORDS = 5  # of a title that is a name


@dataclass(frozen=True)
class Pages:
    """The pages that everybody may read."""

    by_key: dict[PageKey, Page]

    def children(self, page: Page) -> list[Page]:
        found = [each for each in self.by_key.values() if each.parent == page.key]
        return sorted(found, key=lambda each: each.title.casefold())

    def depth(self, page: Page) -> int:
        """How many pages are above it."""
        above: set[PageKey] = set()
        while (parent := page.parent) and parent in self.by_key and parent not in above:
            above.add(parent)
            page = self.by_key[parent]
        return len(above)

    def chosen(self, wanted: Sequence[str]) -> list[Page]:
        """The pages of these ids or titles; without any, those that look like the organization.

        Raises:
            SettingsError: there is no such page, or not everybody may read it.
        """
        if not wanted:
            return [page for page in self.by_key.values() if is_about(page)]
        chosen: list[Page] = []
        for name in wanted:
            found = list(self._named(name))
            if not found:
                raise SettingsError(
                    f"--page {name}: the index holds no page of this id or title "
                    "that everybody may read"
                )
            chosen += found
        return chosen

    def _named(self, name: str) -> Iterator[Page]:
        """The page of this id, and those of this title."""
        for page in self.by_key.values():
            if name == page.id or name.casefold() == page.title.casefold():
                yield page


def open_pages(database: Database) -> Pages:
    is_open = (col(PageRow.visible), PageRow.acl_id == OPEN_ID)
    with database.reading() as session:
        chosen = select(PageRow.record).where(*is_open).order_by(PageRow.source, PageRow.id)
        records = session.exec(chosen).all()
    by_key: dict[PageKey, Page] = {}
    for record in records:
        page = Page.model_validate(record)
        if page.kind is PageKind.PAGE:
            by_key[page.key] = page
    return Pages(by_key)


def pieces(database: Database, page: Page) -> list[Evidence]:
    """What everybody may read on a page, in reading order."""
    with database.reading() as session:
        rows = select(EvidenceRow.record).where(
            is_on_page([page.key]), EvidenceRow.acl_id == OPEN_ID
        )
        records = session.exec(rows).all()
    found = map(Evidence.model_validate, records)
    return sorted(found, key=lambda piece: piece.position)


def kind_of(title: str) -> str:
    """What a page named for one thing is, such as `Crane Team` or `Abteilung Einkauf`.

    Pages about teams in general, and about a meeting, are none.
    """
    words = title.split()
    if not 1 < len(words) <= TITLE_WORDS:
        return ""
    if any(word.casefold() in _EVENTS or word.isdigit() for word in words):
        return ""
    for word in (words[-1], words[0]):
        unit = organization_terms.unit(word)
        if unit and word.casefold() == unit.casefold():
            return unit
    return ""


def listed_kind(text: str) -> str:
    """What a heading or a title promises a list of: `Our teams`, `Abteilungen im Werk`."""
    for word in re.findall(r"\w+", text):
        unit = organization_terms.unit(word)
        if unit and word.casefold() != unit.casefold():
            return unit
    return ""


def is_about(page: Page) -> bool:
    words = {word.casefold() for word in re.findall(r"[\w-]+", page.title)}
    if words & _EVENTS:
        return False
    labels = {label.casefold() for label in page.labels}
    if (words | labels) & _ABOUT:
        return True
    if kind_of(page.title) or listed_kind(page.title):
        return True
    return any(map(organization_terms.unit, labels))
