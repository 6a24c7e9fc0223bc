"""Ablation: takes evidence out of a prompt, all of its words, and changes nothing else about it.

`frozen` fixes how the saved prompt showed its hits, so that freed room does not show more of the
others. `without` removes hits together with their words in what stays: in the blocks and the texts
around other hits, and in the table that a row belongs to (`removed_evidence`). What other hits say
by themselves stays, even in the same words: clusters exist for that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.models import Copy, Evidence, Hit, Kind, Note, Record
from core.pages import PageKey
from core.question import Completed
from worker.attribution.ablation.removed_evidence import RemovedEvidence
from worker.generation.answer_prompt import frozen_prompt_hits
from worker.prompting.cut import CUT
from worker.prompting.evidence_blocks import Frozen
from worker.text import sanitize

Table = tuple[PageKey, int]  # the page, and number of the table there


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
    for position in sorted(gone):
        hit = hits[position]
        taken += hit.everywhere
        if isinstance(hit, Frozen) and hit.uncut:
            taken.append(Copy(evidence=hit.uncut, page=hit.page))
    words = RemovedEvidence(taken, kept=[_here(hit) for hit in left])
    return tuple(_cleaned(each, words) for each in left)


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
        said = _rows(hits[part].evidence) if part in gone else set[int]()
        found.update(row for row in rows if hits[row].evidence.row in said)
    return found


def _rows(part: Evidence) -> set[int]:
    return {row.number for row in part.table.rows} if part.table else set()


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
    number = hit.evidence.table_number
    return None if number is None else (hit.page.key, number)


def _here(hit: Hit) -> Copy:
    return hit.everywhere[0]


def _cleaned(hit: Hit, removed: RemovedEvidence) -> Hit:
    """A hit that is left, without what others said."""
    own = hit.evidence
    evidence: dict[str, object] = {
        "before": removed.out_of_neighbour(own.before, hit.page),
        "after": removed.out_of_neighbour(own.after, hit.page),
    }
    table = removed.out_of_table(_here(hit))
    if table is not None and table != own.table:
        is_cut = isinstance(hit, Frozen) and hit.uncut is not None
        text = f"{sanitize.data(table.text)} {CUT}" if is_cut else table.text
        evidence |= {"table": table, "text": text.lstrip()}
    changed = {
        "evidence": own.model_copy(update=evidence),
        "block": tuple(piece for piece in hit.block if not removed.hold(piece)),
        "table_rows": max(hit.table_rows - removed.rows_of(_here(hit)), 0),
    }
    return hit.model_copy(update=changed)
