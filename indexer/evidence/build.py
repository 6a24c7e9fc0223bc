"""Builds evidence from a parsed page: pieces with stable ids, their place and their neighbours."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from core.models import Evidence, Kind, Page
from core.neighbours import beginning, ending
from core.structure import NO_NEIGHBOUR, Neighbour
from indexer.evidence.chunk import Piece, child_pages_piece, pieces_of
from indexer.parse import Block, Document, Table
from indexer.parse.document import marks

AnyBlock = TypeVar("AnyBlock", bound=Block)


def evidence(
    page: Page,
    document: Document,
    extra: Sequence[tuple[str, Document]] = (),
) -> tuple[Evidence, ...]:
    """Every piece of a page in reading order, followed by those of `extra`.

    `extra` are its comments and attachments, by their names.
    """
    blocks = list(document.blocks)
    for name, other in extra:
        numbers = [block.number for block in blocks if isinstance(block, Table)]
        blocks += _appended(name, other, tables=max(numbers, default=0))
    pieces = [piece for piece in pieces_of(blocks) if piece.text.strip()]
    pieces += _restricted(document, extra)
    ids = _ids(page, pieces)
    made: list[Evidence] = []
    for position, piece in enumerate(pieces):
        each = Evidence(
            id=ids[position],
            page_id=page.id,
            kind=piece.kind,
            text=piece.text,
            heading_path=piece.block.heading_path,
            anchor=piece.block.anchor,
            position=position,
            table=piece.table,
            items=piece.items,
            code=piece.code,
            acl_id=piece.acl_id,
        )
        made.append(each)
    plain = _with_neighbours([_plain(piece) for piece in made])
    return tuple(_with_names(made, plain))


def _appended(
    name: str,
    document: Document,
    *,
    tables: int,
) -> Iterator[Block]:
    """The blocks of a comment or an attachment, with its tables counted on."""
    for block in document.blocks:
        placed = _under(name, block)
        if isinstance(placed, Table):
            yield replace(placed, number=tables + placed.number)
        else:
            yield placed


def _under(name: str, block: AnyBlock) -> AnyBlock:
    """A block of a comment or an attachment under its name, since no heading can be linked to."""
    return replace(block, heading_path=(name, *block.heading_path), anchor="")


def _ids(page: Page, pieces: Sequence[Piece]) -> list[str]:
    """Page, kind and a hash of path and text, so that an unchanged piece keeps its id.

    Exact repeats are counted.
    """
    seen: Counter[str] = Counter()
    ids = []
    for piece in pieces:
        parts = [*piece.block.heading_path, piece.text]
        if piece.acl_id:
            parts.append(piece.acl_id)
        said = marks.without("\0".join(parts))
        digest = hashlib.sha256(said.encode()).hexdigest()
        one = f"{page.key}:{piece.kind}:{digest[:12]}"
        seen[one] += 1
        ids.append(one if seen[one] == 1 else f"{one}:{seen[one]}")
    return ids


def _plain(piece: Evidence) -> Evidence:
    """A piece as it is read, without the marks of other pages' titles."""
    written = piece.model_dump_json()
    plain = marks.without(written)
    return piece if plain == written else Evidence.model_validate_json(plain)


def _with_names(
    pieces: Sequence[Evidence],
    plain: Iterable[Evidence],
) -> Iterator[Evidence]:
    """The plain pieces with the pages that are named in them or in what they show of neighbours."""
    words = {piece.id: piece.text.split() for piece in pieces}
    for piece, shown in zip(pieces, plain, strict=True):
        before, after = shown.before, shown.after
        beside = [
            *words.get(before.id, [])[-len(before.text.split()) :],
            *words.get(after.id, [])[: len(after.text.split())],
        ]
        named = marks.named(" ".join([piece.model_dump_json(), *beside]))
        others = tuple(each for each in named if each != piece.page_id)
        yield shown.model_copy(update={"names": others})


def _with_neighbours(pieces: Sequence[Evidence]) -> Iterator[Evidence]:
    """The pieces, each with what stands before and after it.

    A table and its rows are two forms of the same: rows have rows around them, and tables what is
    outside.
    """
    before: dict[str, Neighbour] = {}
    after: dict[str, Neighbour] = {}
    for other in (Kind.ROW, Kind.TABLE):
        last: Evidence | None = None
        for piece in pieces:
            if piece.kind == other or piece.acl_id:
                continue
            if last is not None:
                after.setdefault(last.id, beginning(piece))
                before.setdefault(piece.id, ending(last))
            last = piece
    for piece in pieces:
        around = {
            "before": before.get(piece.id, NO_NEIGHBOUR),
            "after": after.get(piece.id, NO_NEIGHBOUR),
        }
        yield piece.model_copy(update=around)


def _restricted(
    document: Document,
    extra: Sequence[tuple[str, Document]],
) -> Iterator[Piece]:
    """Lists of child pages for fewer people, last: everything else reads the same without them."""
    lists = list(document.restricted)
    for name, other in extra:
        lists += (_under(name, block) for block in other.restricted)
    for block in lists:
        (acl_id,) = {page.acl_id for page in block.pages}
        yield replace(child_pages_piece(block), acl_id=acl_id)
