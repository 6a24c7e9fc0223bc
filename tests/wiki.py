"""Pages, pieces and hits of a small company's wiki, as the tests of core and worker need them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from core.evidence import EvidenceSearch, EvidenceStore
from core.models import Evidence, Hit, Kind, Page
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import OPEN_ID

LEAVE = "Porto has 25 days of leave."
HOTEL = "A hotel in Porto costs up to 110 EUR."
BACKUP = "The backup of the harbour database runs at two in the morning."


def page(identifier: str = "1", title: str = "Handbook", **more: Any) -> Page:
    """A page of the space HR."""
    return Page(
        id=identifier,
        title=title,
        **({"space": "HR", "url": f"https://wiki.example/{identifier}"} | more),
    )


def key(identifier: str) -> PageKey:
    return PageKey(CONFLUENCE, identifier)


def piece(text: str, page_id: str = "1", **more: Any) -> Evidence:
    """A passage; its id depends on its text alone, as the indexer's do."""
    identifier = f"{page_id}-{blake2b(text.encode(), digest_size=6).hexdigest()}"
    return Evidence(
        text=text, **({"id": identifier, "page_id": page_id, "kind": Kind.PASSAGE} | more)
    )


def row(number: int, *, page_id: str = "1", table: int = 1, **cells: str) -> Evidence:
    """A row of a table, verbalized as the indexer does it."""
    text = f"Row {number} in Table {table}: " + ", and ".join(
        f"{name} is {value}" for name, value in cells.items()
    )
    return piece(
        text,
        page_id,
        kind=Kind.ROW,
        table=table,
        row=number,
        position=number,
        cells=tuple(cells.items()),
    )


def hit(evidence: Evidence | str, on: Page | None = None, **more: Any) -> Hit:
    """A hit that the search is sure of."""
    found = piece(evidence) if isinstance(evidence, str) else evidence
    return Hit(evidence=found, page=on or page(found.page_id), **({"score": 2.0} | more))


def put(store: EvidenceStore, on: Page, *pieces: Evidence, acl_id: str = OPEN_ID) -> int:
    """Store the page with these pieces, by default for everybody; gives how many were embedded."""
    return store.replace(on, pieces, acl_id=acl_id, body_hash="hash", made_by="test")


def searching(store: EvidenceStore) -> EvidenceSearch:
    """What the worker sees of the indexer's store."""
    return EvidenceSearch(store.database, store.lexical, store.dense)
