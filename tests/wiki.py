"""Pages, pieces and hits of a small company's wiki, as the tests of core and worker need them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from core.evidence import EvidenceSearch, EvidenceStore
from core.models import Evidence, Hit, Kind, Page
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import OPEN_ID
from core.structure import (
    CodeText,
    ListItem,
    Neighbour,
    NeighbourLine,
    TableRow,
    TableSlice,
)

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
    """A passage; its id depends on its text alone, as the indexer's do.

    A list's items and code's text are those of the text, unless they are given.
    """
    identifier = f"{page_id}-{blake2b(text.encode(), digest_size=6).hexdigest()}"
    fields = {"id": identifier, "page_id": page_id, "kind": Kind.PASSAGE} | more
    if fields["kind"] is Kind.LIST:
        fields.setdefault("items", items(text))
    if fields["kind"] is Kind.CODE:
        fields.setdefault("code", CodeText(text=text))
    return Evidence(text=text, **fields)


def items(text: str) -> tuple[ListItem, ...]:
    """The outline of a list that is written with dashes; a line without one announces it."""
    found: list[ListItem] = []
    for line in filter(None, text.split("\n")):
        margin, dash, said = line.partition("- ")
        if dash and not margin.strip():
            found.append(ListItem(text=said, depth=len(margin) // 2, mark="- "))
        else:
            found.append(ListItem(text=line, depth=-1))
    return tuple(found)


def near(text: str, **more: Any) -> Neighbour:
    """What stands before or after a piece."""
    return Neighbour(lines=(NeighbourLine(text=text),), **more)


def row(
    number: int,
    *,
    page_id: str = "1",
    table: int = 1,
    group: str = "",
    **cells: str,
) -> Evidence:
    """A row of a table, verbalized as the indexer does it."""
    own = TableRow(number=number, cells=tuple(cells.values()), group=group)
    text = f"Row {number} in Table {table}: " + ", and ".join(
        f"{name} is {value}" for name, value in cells.items()
    )
    return piece(
        text,
        page_id,
        kind=Kind.ROW,
        table=TableSlice(number=table, header=tuple(cells), rows=(own,)),
        position=number,
    )


def part(*rows: Evidence, above: str = "", **more: Any) -> Evidence:
    """The part of a table that these rows make up."""
    slices = [each.table for each in rows if each.table]
    whole = TableSlice(
        number=slices[0].number,
        header=slices[0].header,
        rows=tuple(each.rows[0] for each in slices),
        above=above,
    )
    return piece(whole.text, kind=Kind.TABLE, table=whole, **more)


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
