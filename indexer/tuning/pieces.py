"""Pieces to ask about: open to everybody, each text once, the pages in turns."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from sqlmodel import col, select

from core.models import Evidence, Hit, Page
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow


def open_pieces(database: Database) -> Iterator[Hit]:
    """Pieces that everybody may read, of pages that everybody may read."""
    query = select(EvidenceRow, PageRow).join(PageRow).order_by(col(EvidenceRow.id))
    is_open = (col(PageRow.visible), PageRow.acl_id == OPEN_ID, EvidenceRow.acl_id == OPEN_ID)
    with database.reading() as session:
        rows = session.exec(query.where(*is_open)).all()
    for piece, page in rows:
        evidence = Evidence.model_validate(piece.record)
        yield Hit(evidence=evidence, page=Page.model_validate(page.record))


def said_once(pieces: Sequence[Hit]) -> list[Hit]:
    """Deduplicate: leave out text that stands on several pages (boilerplate, copied pages)."""
    pages: dict[str, set[str]] = defaultdict(set)
    for hit in pieces:
        pages[hit.evidence.text].add(hit.page.id)
    return [hit for hit in pieces if len(pages[hit.evidence.text]) == 1]


def in_turns(pieces: Sequence[Hit], chance: random.Random) -> list[Hit]:
    """One piece of each page, then a second one of each, and so on."""
    by_page: dict[str, list[Hit]] = defaultdict(list)
    for hit in pieces:
        by_page[hit.page.id].append(hit)
    pages = list(by_page.values())
    chance.shuffle(pages)
    for own in pages:
        chance.shuffle(own)
    return [hit for hit in chain.from_iterable(zip_longest(*pages)) if hit is not None]
