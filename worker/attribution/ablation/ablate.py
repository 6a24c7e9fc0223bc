"""Takes evidence away exactly: the words of some hits go, wherever they stand, and nothing else about the prompt changes.

`frozen` holds fast how the saved prompt showed its hits, so that the room which is freed shows no more of the others. `without` takes
hits away together with their words in what stays: in the blocks and the texts around other hits (`around`), and in the table that a
row belongs to (`lines`). What other hits say by themselves stays, also in the same words: that is what clusters are for.
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
    """The saved hits, each to be shown as the saved prompt showed it; those of a quoted answer, which were not packed, as they are."""
    if not record.prompt:
        return record.hits
    return frozen_prompt_hits(
        asked(record), record.hits, context_tokens=context_tokens, manner=record.manner
    )


def without(hits: Sequence[Hit], removed: Collection[int]) -> tuple[Hit, ...]:
    """The hits without those at these positions and without their words; with a table go the rows that only complete it.

    The others keep their order, except that a table keeps its place in a prompt when its best row goes: the next one takes that place.
    """
    gone = _with_completing_rows(hits, removed)
    if not gone:
        return tuple(hits)
    left = _in_place(hits, gone)
    taken = [copy for position in sorted(gone) for copy in hits[position].everywhere]
    words = RemovedWords([copy.evidence for copy in taken])
    tables = _rest([hits[position] for position in left], taken)
    return tuple(_cleaned(hits[position], words, tables) for position in left)


def _with_completing_rows(hits: Sequence[Hit], removed: Collection[int]) -> set[int]:
    """The positions, and those of rows that nobody found and that complete a table which goes, or the part of it that goes."""
    gone = {position for position in removed if 0 <= position < len(hits)}
    for table in {
        table
        for position in gone
        if hits[position].evidence.kind is Kind.TABLE and (table := _table(hits[position]))
    }:
        own = [position for position, hit in enumerate(hits) if _table(hit) == table]
        parts = [position for position in own if hits[position].evidence.kind is Kind.TABLE]
        rows = [position for position in own if hits[position].table_rows]
        if gone.issuperset(parts):
            gone.update(rows)
        parts_gone = [hits[position].evidence for position in parts if position in gone]
        gone.update(
            row for row in rows if any(holds(part, hits[row].evidence) for part in parts_gone)
        )
    return gone


def _in_place(hits: Sequence[Hit], gone: Collection[int]) -> list[int]:
    """The positions that are left, in order; where the best of a table goes, the next one takes its place."""
    first: dict[Table | int, int] = {}
    places: dict[int, int] = {}
    standing: set[Table | int] = set()
    for position, hit in enumerate(hits):
        group = (_table(hit) if isinstance(hit, Frozen) and hit.in_table else None) or position
        first.setdefault(group, position)
        if position not in gone:
            places[position] = position if group in standing else first[group]
            standing.add(group)
    return sorted(places, key=lambda position: places[position])


def _table(hit: Hit) -> Table | None:
    return None if hit.evidence.table is None else (hit.page.id, hit.evidence.table)


def _rest(left: Sequence[Hit], taken: Sequence[Copy]) -> dict[Table | None, Rest]:
    """What is left of each table that loses rows."""
    rows: dict[Table, list[Evidence]] = {}
    for copy in taken:
        if copy.evidence.kind is Kind.ROW and copy.evidence.table is not None:
            rows.setdefault((copy.page.id, copy.evidence.table), []).append(copy.evidence)
    return {
        table: without_rows([hit.evidence for hit in left if _table(hit) == table], own)
        for table, own in rows.items()
    }


def _cleaned(hit: Hit, words: RemovedWords, tables: Mapping[Table | None, Rest]) -> Hit:
    """A hit that is left, without what others said."""
    rest = tables.get(_table(hit), NOTHING_LOST)
    evidence = rest.pieces.get(hit.evidence.id, hit.evidence)
    changed = {
        "evidence": evidence.model_copy(
            update={"before": words.out_of(evidence.before), "after": words.out_of(evidence.after)}
        ),
        "block": tuple(piece for piece in hit.block if not words.hold(piece)),
        "table_rows": max(hit.table_rows - rest.rows_lost, 0),
    }
    return hit.model_copy(update=changed)
