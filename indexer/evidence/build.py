"""A parsed page as pieces of evidence, each with an id that lasts, its place and its neighbours."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from core.models import Evidence, Kind, Page
from indexer.evidence.chunk import Piece, child_pages_piece, pieces_of
from indexer.parse import Block, Document, Table

NEIGHBOUR_CHARACTERS = 200

AnyBlock = TypeVar("AnyBlock", bound=Block)


def evidence(
    page: Page, document: Document, extra: Sequence[tuple[str, Document]] = ()
) -> tuple[Evidence, ...]:
    """Every piece of a page in reading order; behind them those of its comments and attachments, `extra`, by their names."""
    blocks = list(document.blocks)
    for name, other in extra:
        blocks += _beside(name, other, tables=sum(isinstance(block, Table) for block in blocks))
    pieces = [
        *(piece for piece in pieces_of(blocks) if piece.text.strip()),
        *_restricted(document, extra),
    ]
    before, after = _neighbours(pieces)
    ids = _ids(page, pieces)
    return tuple(
        Evidence(
            id=ids[position],
            page_id=page.id,
            kind=piece.kind,
            text=piece.text,
            raw=piece.raw or piece.text,
            heading_path=piece.block.heading_path,
            before=_end(before.get(position, "")),
            after=_start(after.get(position, "")),
            anchor=piece.block.anchor,
            position=position,
            table=piece.block.number if isinstance(piece.block, Table) else None,
            row=piece.row,
            cells=piece.cells,
            acl_id=piece.acl_id,
            names=piece.names,
        )
        for position, piece in enumerate(pieces)
    )


def _beside(name: str, document: Document, *, tables: int) -> Iterator[Block]:
    """The blocks of a comment or an attachment, with its tables counted on."""
    for block in document.blocks:
        placed = _under(name, block)
        yield (
            replace(placed, number=tables + placed.number) if isinstance(placed, Table) else placed
        )


def _under(name: str, block: AnyBlock) -> AnyBlock:
    """A block of a comment or an attachment under its name: there is no heading of the page to link to."""
    return replace(block, heading_path=(name, *block.heading_path), anchor="")


def _ids(page: Page, pieces: Sequence[Piece]) -> list[str]:
    """Page, kind and a hash of path and text, so that an unchanged piece keeps its id; exact repeats are counted."""
    seen: Counter[str] = Counter()
    ids = []
    for piece in pieces:
        hashed = hashlib.sha256(
            "\0".join(
                [*piece.block.heading_path, piece.text, *filter(None, [piece.acl_id])]
            ).encode()
        ).hexdigest()[:12]
        one = f"{page.id}:{piece.kind}:{hashed}"
        seen[one] += 1
        ids.append(one if seen[one] == 1 else f"{one}:{seen[one]}")
    return ids


def _neighbours(pieces: Sequence[Piece]) -> tuple[dict[int, str], dict[int, str]]:
    """The texts around each piece; a table's rows are its other form, so rows have rows around them and tables what is outside."""
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for other in (Kind.ROW, Kind.TABLE):
        sequence = [
            number
            for number, piece in enumerate(pieces)
            if piece.kind != other and not piece.acl_id
        ]
        for one, two in pairwise(sequence):
            after.setdefault(one, pieces[two].text)
            before.setdefault(two, pieces[one].text)
    return before, after


def _end(text: str) -> str:
    text = " ".join(text.split())
    return (
        text
        if len(text) <= NEIGHBOUR_CHARACTERS
        else "…" + text[-NEIGHBOUR_CHARACTERS:].partition(" ")[2]
    )


def _start(text: str) -> str:
    text = " ".join(text.split())
    return (
        text
        if len(text) <= NEIGHBOUR_CHARACTERS
        else text[:NEIGHBOUR_CHARACTERS].rpartition(" ")[0] + "…"
    )


def _restricted(document: Document, extra: Sequence[tuple[str, Document]]) -> Iterator[Piece]:
    """Lists of child pages for fewer people: behind everything else, which would read the same without them."""
    aside = list(document.restricted)
    for name, other in extra:
        aside += (_under(name, block) for block in other.restricted)
    for block in aside:
        (acl_id,) = {page.acl_id for page in block.pages}
        yield replace(
            child_pages_piece(block), acl_id=acl_id, names=tuple(page.id for page in block.pages)
        )
