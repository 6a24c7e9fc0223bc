"""Leads over the rows of a whole table: counts, filters, extremes and sums."""

from __future__ import annotations

from core.language.sentences import Sentences
from worker.typed.asked import EXTREMES, Operation, TypedQuestion, whole_terms
from worker.typed.tables.counting import count, counted, which
from worker.typed.tables.measuring import extreme, total
from worker.typed.tables.selection import Selection, selection
from worker.typed.tables.typed_table import TypedTable


def over_rows(say: Sentences, asked: TypedQuestion, table: TypedTable) -> str:
    """Empty where not all rows are there, one adds up others, or a word of the question is open."""
    if not table.is_whole or not table.holds():
        return ""
    if any(row.is_total or not row.is_in_force for row in table.rows):
        return ""
    selected = selection(asked, table)
    if selected is None or not asked.is_within(table.known(selected.named.values())):
        return ""
    if _has_shared(table, selected) or not table.holds(selected.named.values()):
        return ""
    if asked.operation in EXTREMES:
        return extreme(say, asked, table, selected)
    if asked.operation is Operation.TOTAL:
        return total(say, asked, table, selected) or count(say, asked, table, selected)
    if _has_open_column(asked, table, selected):
        return ""
    is_of_all = asked.operation is Operation.WHICH and not selected.named
    if asked.operation is Operation.COUNT or is_of_all:
        return count(say, asked, table, selected)
    if asked.operation is Operation.WHICH:
        return which(say, asked, table, selected)
    return ""


def _has_shared(table: TypedTable, selected: Selection) -> bool:
    """Whether a row that is left out names what is asked for beside something else.

    `Hollin / Marsk` where only the rows of `Hollin` are counted.
    """
    return any(
        set(whole_terms(cell)) < set(whole_terms(other))
        for place, cell in selected.named.items()
        for other in table.column(place)
    )


def _has_open_column(asked: TypedQuestion, table: TypedTable, selected: Selection) -> bool:
    """Whether a column is named that neither says which rows, nor what is counted.

    `Which systems have a backup?`, `Which have Hilde as deputy?` where she stands as owner.
    """
    said = asked.noun.union(*(whole_terms(cell) for cell in selected.named.values()))
    known = {*selected.named, counted(asked, table)}
    return any(place not in known for place in table.columns(asked.wanted - said))
