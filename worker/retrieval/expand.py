"""Gives the model more than what ranks: the whole block that a hit was cut from, and whole tables for questions over all their rows.

Blocks are cut at about 80 words because that ranks better (`indexer.evidence.chunk`); a model answers better from the whole. What is added is
written to the hits, so that Explain, which answers again without some of them, takes it away together with its hit. How much of it finds
room in the prompt is `worker.prompting.context_window`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.evidence.blocks import Blocks
from core.models import Evidence, Hit, Kind
from core.policy.acl import Reader
from core.question import Completed, QuestionKind

CUT = {Kind.PASSAGE, Kind.LIST, Kind.TASK}  # code is never cut, and a table has its rows
BLOCK_PIECES = 12  # around one hit, the nearest ones: about 1,000 words
TOP = 5  # hits among which a table must be for its rows to be wanted
TABLES = 2
ROWS = 300  # of one table

_OVER_ALL_ROWS = re.compile(
    r"\b(how many|number of|count|counts|most|least|fewest|largest|biggest|smallest|highest|lowest|longest|shortest|oldest|newest|latest"
    r"|earliest|cheapest|fastest|slowest|heaviest|lightest|best|worst|maximum|minimum|total|totals|sum|overall|altogether|average|mean"
    r"|median|percentage|all|every|each|any other|compared?|comparison|differences?|differ|versus|vs|more than|less than|fewer than"
    r"|at least|at most"
    r"|wie ?viele?|anzahl|zähle?n?|meisten?|wenigsten?|größte[nrsm]?|kleinste[nrsm]?|höchste[nrsm]?|niedrigste[nrsm]?|längste[nrsm]?"
    r"|kürzeste[nrsm]?|älteste[nrsm]?|neue?ste[nrsm]?|jüngste[nrsm]?|früheste[nrsm]?|späteste[nrsm]?|teuerste[nrsm]?|billigste[nrsm]?"
    r"|günstigste[nrsm]?|schnellste[nrsm]?|schwerste[nrsm]?|beste[nrsm]?|maximal|minimal|maximum|insgesamt|gesamt\w*|summe|durchschnitt\w*"
    r"|mittelwert|anteil|alle[nrsm]?|jede[nrsm]?|sämtliche[nrsm]?|vergleich\w*|unterschied\w*|unterscheide[nt]|mehr als|weniger als"
    r"|mindestens|höchstens)\b",
    re.IGNORECASE,
)


class EvidenceExpander:
    """Hits in, the same hits with what stands around them, and behind them the rows that complete a table."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def widened(self, completed: Completed, hits: Sequence[Hit], reader: Reader) -> tuple[Hit, ...]:
        pages = self._blocks.pieces({hit.page.id for hit in hits}, reader)
        with_blocks = list(_with_blocks(hits, pages))
        rows = _missing_rows(hits, pages) if over_all_rows(completed) else ()
        return (*with_blocks, *rows)


def over_all_rows(completed: Completed) -> bool:
    """Whether one row cannot answer: the question counts, compares, or asks for all or for the most.

    >>> over_all_rows(Completed(question="", text="Which crane failed most often?"))
    True
    """
    by_kind = completed.kind in (QuestionKind.LIST, QuestionKind.COMPARISON)
    return by_kind or bool(_OVER_ALL_ROWS.search(completed.text))


def _with_blocks(hits: Sequence[Hit], pages: dict[str, list[Evidence]]) -> Iterator[Hit]:
    """Each hit with the pieces of its block that are nearer to it than to any other hit."""
    found = {hit.evidence.id for hit in hits}
    blocks = [
        _block(hit.evidence, pages[hit.page.id]) if hit.evidence.kind in CUT else [] for hit in hits
    ]
    nearest: dict[str, tuple[int, int]] = {}
    for place, (hit, block) in enumerate(zip(hits, blocks, strict=True)):
        for piece in block:
            claim = (abs(piece.position - hit.evidence.position), place)
            nearest[piece.id] = min(nearest.get(piece.id, claim), claim)
    for place, (hit, block) in enumerate(zip(hits, blocks, strict=True)):
        own = [piece for piece in block if piece.id not in found and nearest[piece.id][1] == place]
        near = sorted(own, key=lambda piece: nearest[piece.id])[:BLOCK_PIECES]
        yield (
            hit.model_copy(update={"block": tuple(sorted(near, key=lambda piece: piece.position))})
            if near
            else hit
        )


def _block(piece: Evidence, page: Sequence[Evidence]) -> list[Evidence]:
    """The pieces of the same kind under the same heading that stand with this one, without a gap; none when the page has changed."""
    run: list[Evidence] = []
    for other in page:
        if _alike(other, piece) and (not run or other.position == run[-1].position + 1):
            run.append(other)
        elif any(each.id == piece.id for each in run):
            break
        else:
            run = [other] if _alike(other, piece) else []
    return run if any(each.id == piece.id for each in run) else []


def _alike(one: Evidence, two: Evidence) -> bool:
    return (one.kind, one.heading_path, one.acl_id) == (two.kind, two.heading_path, two.acl_id)


def _missing_rows(hits: Sequence[Hit], pages: dict[str, list[Evidence]]) -> Iterator[Hit]:
    """The rows that complete the best tables, in their order, as hits of their own that no search found."""
    found = {hit.evidence.id for hit in hits}
    for hit in _tables(hits):
        rows = [
            piece
            for piece in pages[hit.page.id]
            if piece.kind is Kind.ROW and piece.table == hit.evidence.table and not piece.acl_id
        ]
        total = len({piece.row for piece in rows})
        for piece in rows[:ROWS]:
            if piece.id not in found:
                yield Hit(evidence=piece, page=hit.page, table_rows=total)


def _tables(hits: Sequence[Hit]) -> list[Hit]:
    """A hit of each table among the best hits."""
    best = [hit for hit in hits if hit.evidence.kind is not Kind.PLACE][:TOP]
    tables: dict[tuple[str, int], Hit] = {}
    for hit in best:
        if hit.evidence.table is not None:
            tables.setdefault((hit.page.id, hit.evidence.table), hit)
    return list(tables.values())[:TABLES]
