"""The rows of a table that are of the time that a question asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from core.evidence.lexical.analyzer import content_words
from core.structure import TableRow
from worker.typed.rows.asked_time import AskedOrder, AskedTime, asked_time
from worker.typed.rows.periods import DaySpan, a_year_later
from worker.typed.rows.time_columns import TimeColumn, time_columns


def rows_in_time(
    question: str, today: date, header: Sequence[str], rows: Sequence[TableRow]
) -> frozenset[int] | None:
    """Their numbers; of what is next or was last, the first of the given rows.

    None where no time is asked for, no column is one of days, or two of them say different things.
    Until when a row lasts may stand in the next one: for a period, give all rows of the table.

    >>> row = TableRow(number=7, cells=("Ida", "CW 49"))
    >>> rows_in_time("Who is on call next week?", date(2026, 11, 29), ("Who", "Week"), [row])
    frozenset({7})
    """
    asked = asked_time(question, today)
    if asked is None:
        return None
    columns = columns_in_time(question, asked, today, time_columns(header, rows, today))
    found = {_chosen(column, asked, today) for column in columns}
    return found.pop() if len(found) == 1 else None


def columns_in_time(
    question: str, asked: AskedTime, today: date, columns: Sequence[TimeColumn]
) -> Sequence[TimeColumn]:
    """Those that may say what is of that time: not when something was done, of what is to come."""
    saying = [column for column in columns if _may_say(column, asked, today)]
    return _preferred(saying, question, asked, today)


def _may_say(column: TimeColumn, asked: AskedTime, today: date) -> bool:
    """What comes is not told by a column of what has been, nor the other way round."""
    if asked.order is AskedOrder.LAST:
        return not column.is_due
    return not (column.is_done and _is_coming(asked, today))


def _is_coming(asked: AskedTime, today: date) -> bool:
    if asked.order is not None:
        return asked.order is AskedOrder.NEXT
    return all(span.last >= today for span in asked.spans)


def _preferred(
    columns: Sequence[TimeColumn], question: str, asked: AskedTime, today: date
) -> Sequence[TimeColumn]:
    """Those whose name says most of the question's words, else those of what comes."""
    if len(columns) < 2:
        return columns
    said = set(content_words(question))
    shared = [len(said.intersection(content_words(" ".join(each.names)))) for each in columns]
    most = [each for each, words in zip(columns, shared, strict=True) if words == max(shared)]
    due = [each for each in most if each.is_due]
    return due if due and len(most) > 1 and _is_coming(asked, today) else most


def _chosen(column: TimeColumn, asked: AskedTime, today: date) -> frozenset[int] | None:
    """None where the column does not say whether a row is of that time."""
    numbers = frozenset(column.written)
    if asked.spans:
        numbers = frozenset(_within(column, asked))
        is_silent = asked.is_now and column.has_days_only  # what began then may still be so
        if not column.lasting or (is_silent and not numbers):
            return None
    if asked.order is None:
        return numbers
    written = {number: column.written[number] for number in numbers}
    if asked.order is AskedOrder.NEXT:
        days = {
            number: [span.first for span in spans if span.first >= today]
            for number, spans in written.items()
        }
        wanted = min((day for each in days.values() for day in each), default=None)
    else:
        days = {
            number: [span.last for span in spans if span.last < today]
            for number, spans in written.items()
        }
        wanted = max((day for each in days.values() for day in each), default=None)
    return frozenset(number for number, each in days.items() if wanted in each)


def _within(column: TimeColumn, asked: AskedTime) -> Iterator[int]:
    for number, spans in column.lasting.items():
        if any(_meet(span, other) for span in spans for other in asked.spans):
            yield number


def _meet(span: DaySpan, asked: DaySpan) -> bool:
    """Where both lack their year, the one of each was guessed: June is June."""
    if span.lacks_year and asked.lacks_year:
        return any(span.meets(a_year_later(asked, years)) for years in (-1, 0, 1))
    return span.meets(asked)
