"""Ablation: takes evidence out of a prompt, all of its words, and changes nothing else about it.

`frozen` fixes how the saved prompt showed its hits, so that freed room does not show more of the
others. `without` removes hits together with their words in what stays: in the blocks and the texts
around other hits (`context_text`), and in the table that a row belongs to (`table_rows`). What
other hits say by themselves stays, even in the same words: clusters exist for that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.models import Copy, Evidence, Hit, Kind, Note, Record
from core.question import Completed
from worker.attribution.ablation.context_text import RemovedWords
from worker.attribution.ablation.table_rows import NOTHING_LOST, Rest, holds, without_rows
from worker.generation.generator import frozen_prompt_hits
from worker.prompting.evidence_blocks import Frozen

Table = tuple[str, int]  # page id, and number of the table there


def asked(record: Record) -> Completed:
    """The question as the answerer was asked it: without the conditions that no page passed."""
    if Note.CONDITIONS_DROPPED in record.answer.notes:
        return record.completed.model_copy(update={"conditions": ()})
    return record.completed


def frozen(record: Record, *, context_tokens: int) -> tuple[Hit, ...]:
    """The saved hits, each to be shown as the saved prompt showed it.

    The hits of a quoted answer were never packed into a prompt; they stay as they are.
    """
    if not record.prompt:
        return record.hits
    return frozen_prompt_hits(
        asked(record), record.hits, context_tokens=context_tokens, manner=record.manner
    )


def without(hits: Sequence[Hit], removed: Collection[int]) -> tuple[Hit, ...]:
    """The hits without those at these positions and without their words.

    With a table go the rows that only complete it. The others keep their order, except that a table
    keeps its place in a prompt when its best row goes: the next one takes that place.
    """
    gone = _with_completing_rows(hits, removed)
    if not gone:
        return tuple(hits)
    left = [hits[position] for position in _in_place(hits, gone)]
    taken: list[Copy] = []
    uncut: list[str] = []
    for position in sorted(gone):
        hit = hits[position]
        taken.extend(hit.everywhere)
        if isinstance(hit, Frozen) and hit.uncut:
            uncut.append(hit.uncut)
    words = RemovedWords([copy.evidence for copy in taken], uncut)
    tables = _rest(left, taken)
    return tuple(_cleaned(each, words, tables) for each in left)


def _with_completing_rows(hits: Sequence[Hit], removed: Collection[int]) -> set[int]:
    """The positions, and those of rows that only complete a table, or part of it, that goes."""
    gone = {position for position in removed if 0 <= position < len(hits)}
    tables: set[Table] = set()
    for position in gone:
        table = _table(hits[position])
        if table is not None and hits[position].evidence.kind is Kind.TABLE:
            tables.add(table)
    for table in tables:
        gone |= _completing_rows(hits, gone, table)
    return gone


def _completing_rows(
    hits: Sequence[Hit],
    gone: Collection[int],
    table: Table,
) -> set[int]:
    """The rows that complete the parts of this table that go; all rows when all parts go."""
    parts: list[int] = []
    rows: list[int] = []
    for position, hit in enumerate(hits):
        if _table(hit) != table:
            continue
        if hit.evidence.kind is Kind.TABLE:
            parts.append(position)
        if hit.table_rows:
            rows.append(position)
    if all(position in gone for position in parts):
        return set(rows)
    found: set[int] = set()
    for part in parts:
        for row in rows:
            if part in gone and holds(hits[part].evidence, hits[row].evidence):
                found.add(row)
    return found


def _in_place(hits: Sequence[Hit], gone: Collection[int]) -> list[int]:
    """The positions left, in order; where the best of a table goes, the next takes its place."""
    first: dict[Table | int, int] = {}
    places: dict[int, int] = {}
    placed: set[Table | int] = set()
    for position, hit in enumerate(hits):
        in_table = isinstance(hit, Frozen) and hit.in_table
        group = (_table(hit) if in_table else None) or position
        first.setdefault(group, position)
        if position not in gone:
            places[position] = position if group in placed else first[group]
            placed.add(group)
    return sorted(places, key=lambda position: places[position])


def _table(hit: Hit) -> Table | None:
    number = hit.evidence.table
    return None if number is None else (hit.page.id, number)


def _rest(left: Sequence[Hit], taken: Sequence[Copy]) -> dict[Table | None, Rest]:
    """What is left of each table that loses rows."""
    lost: dict[Table, list[Evidence]] = {}
    for copy in taken:
        piece = copy.evidence
        if piece.kind is Kind.ROW and piece.table is not None:
            lost.setdefault((copy.page.id, piece.table), []).append(piece)
    found: dict[Table | None, Rest] = {}
    for table, rows in lost.items():
        own = [hit.evidence for hit in left if _table(hit) == table]
        found[table] = without_rows(own, rows)
    return found


def _cleaned(
    hit: Hit,
    words: RemovedWords,
    tables: Mapping[Table | None, Rest],
) -> Hit:
    """A hit that is left, without what others said."""
    rest = tables.get(_table(hit), NOTHING_LOST)
    own = rest.pieces.get(hit.evidence.id, hit.evidence)
    around = {
        "before": words.out_of(own.before),
        "after": words.out_of(own.after),
    }
    changed = {
        "evidence": own.model_copy(update=around),
        "block": tuple(piece for piece in hit.block if not words.hold(piece)),
        "table_rows": max(hit.table_rows - rest.rows_lost, 0),
    }
    return hit.model_copy(update=changed)
