"""Drafts the text of an entities file from the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from core import organization_terms
from core.models import Kind, Page
from core.storage.database import Database
from indexer.drafting.found import DraftedUnit, Register
from indexer.drafting.lists import read_list
from indexer.drafting.sources import Pages, kind_of, listed_kind, open_pages, pieces
from indexer.drafting.tables import read_row

HEAD = """\
# Entities of the organization, drafted by `python -m indexer entities`: read it, mend it, \
then set ENTITIES_FILE to it.
# An entry: name, kind, aliases (other names, abbreviations in capitals), page (id or address: \
who may read it may be told
# of the entry), children (what belongs to it). Without a page of its own an entry takes that \
of the one above.
"""


@dataclass(frozen=True)
class EntitiesDraft:
    """A draft, and what to say of it."""

    text: str
    titles: tuple[str, ...]  # of the pages that were read
    counts: dict[str, int]  # by kind


def draft(database: Database, wanted: Sequence[str] = ()) -> EntitiesDraft:
    """The organization by these pages (ids or titles; without any, those that look like it).

    Raises:
        SettingsError: there is no such page, or not everybody may read it.
    """
    pages, register = open_pages(database), Register()
    chosen = pages.chosen(wanted)
    read = list(chosen)
    for page in chosen:
        read += (child for child in pages.children(page) if child not in chosen)
    about = _units_by_page(pages, chosen, register)
    for page in read:
        for piece in pieces(database, page):
            if piece.cells:
                read_row(piece, register, about.get(page.id))
            elif piece.kind is Kind.LIST:
                read_list(piece, page, register, about.get(page.id))
    text = yaml.safe_dump(
        register.entries(),
        allow_unicode=True,
        sort_keys=False,
        width=120,
    )
    return EntitiesDraft(
        HEAD + text,
        tuple(page.title for page in read),
        register.counts(),
    )


def _units_by_page(
    pages: Pages, chosen: Sequence[Page], register: Register
) -> dict[str, DraftedUnit]:
    """The pages that are about one unit, by page id, each under the one whose page is above."""
    found: dict[str, DraftedUnit] = {}

    def add(page: Page, kind: str) -> None:
        above = found.get(page.parent_id or "")
        unit = register.add(page.title, kind, page.id, above) if kind else None
        if unit is not None:
            found[page.id] = unit

    for page in sorted(chosen, key=pages.depth):
        add(page, _kind(page))
        for child in pages.children(page):
            add(child, _kind(child) or listed_kind(page.title))
    return found


def _kind(page: Page) -> str:
    """What a page is about, by its title or by a label such as `team` on a title that is a name."""
    by_title = kind_of(page.title)
    if by_title or listed_kind(page.title):
        return by_title
    for label in page.labels:
        kind = organization_terms.unit(label)
        if kind and label.casefold() == kind.casefold():
            return kind
    return ""
