"""Excerpts of tables: the rows that answer, with the columns that say something of the question."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.lexical.analyzer import content_words
from worker.extractive.context import Asked, is_sure
from worker.extractive.rank import ScoredSpan
from worker.extractive.tables.chosen_rows import chosen_rows
from worker.extractive.tables.markdown_table import TableView, markdown_table, table_of
from worker.extractive.tables.table_rows import asked_columns, named_cells
from worker.reading.reader import says


def table_excerpt(scored: Sequence[ScoredSpan], asked: Asked, room: int) -> str:
    """Markdown of these rows of one table, the best first; `room` is words."""
    best = scored[0].span
    header = table_of(best).header
    named = {name for name, _ in named_cells(best, asked.completed, asked.rarity)}
    wanted = asked_columns(best, content_words(asked.completed.question), named)
    said = {name for each in scored for name, cell in each.span.cells if says(cell, each.read.said)}
    chosen = chosen_rows([each.span for each in scored], asked, is_named=bool(named))
    answers = [at for at, name in enumerate(header) if name in wanted]
    is_one = len(chosen.rows) == 1 and len(answers) == 1
    view = TableView(
        header=header,
        rows=chosen.rows,
        telling=[at for at, name in enumerate(header) if name in named | wanted | said],
        answer=answers[0] if is_sure(scored) and named and is_one else None,
        is_part=chosen.is_part,
    )
    return markdown_table(asked.say, view, room)
