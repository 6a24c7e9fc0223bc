"""Excerpts of tables: the rows that answer, with the columns that say something of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.evidence.lexical.analyzer import content_words, words
from core.structure import TableRow
from worker.extractive.context import Asked, is_sure
from worker.extractive.ranking.rank import ScoredSpan
from worker.extractive.table_rows import asked_columns
from worker.extractive.tables.chosen_rows import chosen_rows, read_table
from worker.extractive.tables.markdown_table import TableView, markdown_table
from worker.extractive.tables.rows_meant import ReadTable, time_places
from worker.reading.reader import says

# A column of this name says how it went with what the others name.
_OUTCOME = re.compile(rf"\b{grammar.merged().composing.words.outcomes}(?!\w)", re.IGNORECASE)

FEW = 4  # rows; of more, their columns have more room together
LONGEST = 2  # times the room is the most that they may take


def table_excerpt(scored: Sequence[ScoredSpan], asked: Asked, room: int) -> str:
    """Markdown of these rows of one table, the best first; `room` is words."""
    best = scored[0].span
    table = read_table(best, asked)
    named = {name for name, _ in table.named}
    wanted = asked_columns(best, content_words(asked.completed.question), named)
    said = {name for each in scored for name, cell in each.span.cells if says(cell, each.read.said)}
    telling = {at for at, name in enumerate(table.header) if name in named | wanted | said}
    chosen = chosen_rows([each.span for each in scored], asked, table)
    telling |= _worded(chosen.rows, asked, table)
    outcomes = {at for at, name in enumerate(table.header) if _OUTCOME.search(name)}
    if not wanted:
        telling |= outcomes
    answers = [at for at, name in enumerate(table.header) if name in wanted]
    is_one = len(chosen.rows) == 1 and len(answers) == 1
    view = TableView(
        header=table.header,
        rows=chosen.rows,
        telling=telling | time_places(asked.completed, table),
        outcomes=outcomes,
        answer=answers[0] if is_sure(scored) and named and is_one else None,
        is_part=chosen.is_part,
    )
    return markdown_table(asked.say, view, room if len(chosen.rows) < FEW else room * LONGEST)


def _worded(rows: Sequence[TableRow], asked: Asked, table: ReadTable) -> set[int]:
    """The columns of a few rows in which a word of the question stands, whatever their name.

    Not those that say which page, which column or which row is meant.
    """
    said = words(" ".join((*table.header, *(cell for _, cell in table.named))))
    terms = set(content_words(asked.completed.question)) - table.above - set(said)
    few = rows if len(rows) < FEW else []
    return {at for row in few for at, cell in enumerate(row.cells) if terms & set(words(cell))}
