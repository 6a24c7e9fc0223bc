"""Columns of a table that say when its rows are: of days, of spans, from and to, of beginnings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from core import grammar
from core.structure import TableRow
from worker.typed.rows.periods import WEEK, DaySpan
from worker.typed.rows.written_time import day_spans, week_spans

_WORDS = grammar.merged().rows.time
_BEGINS = re.compile(rf"\b{_WORDS.begins}\b", re.IGNORECASE)
_ENDS = re.compile(rf"\b{_WORDS.ends}\b", re.IGNORECASE)
_DUE = re.compile(rf"\b{_WORDS.due}\b", re.IGNORECASE)
_DONE = re.compile(rf"\b{_WORDS.done}\b", re.IGNORECASE)
_WEEK = re.compile(rf"\b(?:{_WORDS.calendar_weeks}|{_WORDS.week})s?\b", re.IGNORECASE)
_WEEK_ALONE = re.compile(rf"\W*{_WORDS.week}s?\W*(?P<number>\d*)\W*", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^)]*\)")
_NOTHING = re.compile(r"\W*")
_LONGEST_REMARK = 40  # characters beside the days: more is a text that happens to name one
_HALF_A_YEAR = 26  # weeks
_FEWEST = 3  # beginnings that are a week apart, where no name says what they are
_Spans = tuple[DaySpan, ...]


@dataclass(frozen=True)
class TimeColumn:
    """The rows, by number, with their spans as written, and as long as each of them lasts.

    `lasting` is empty where that cannot be told, as of a column that only says until when.
    """

    names: tuple[str, ...]
    written: Mapping[int, _Spans]
    lasting: Mapping[int, _Spans]

    @property
    def is_due(self) -> bool:
        """Whether it is called one of things to come."""
        return any(map(_DUE.search, self.names))

    @property
    def is_done(self) -> bool:
        """Whether it is called one of things that have been."""
        return any(map(_DONE.search, self.names)) and not self.is_due

    @property
    def has_days_only(self) -> bool:
        """Whether no row lasts longer than its day."""
        return all(each.first == each.last for spans in self.lasting.values() for each in spans)


def time_columns(
    header: Sequence[str], rows: Sequence[TableRow], today: date
) -> tuple[TimeColumn, ...]:
    """Most cells of a column must be readable; a row of which the cell is not is left out."""
    read = {place: _read(place, name, rows, today) for place, name in enumerate(header)}
    found = {place: written for place, written in read.items() if written}
    begins = [place for place in found if _says(_BEGINS, header[place])]
    ends = [place for place in found if _says(_ENDS, header[place])]
    columns = []
    if len(begins) == len(ends) == 1 and begins != ends:
        (begin,), (end,) = begins, ends
        names = (header[begin], header[end])
        both = _from_to(found.pop(begin), found.pop(end), end, rows)
        columns.append(TimeColumn(names, both, both))
    for place, written in found.items():
        lasting = _lasting(header[place], written)
        columns.append(TimeColumn((header[place],), written, lasting))
    return tuple(columns)


def _says(words: re.Pattern[str], name: str) -> bool:
    """Of "From" and "Valid from", but not of "From – to"."""
    other = _ENDS if words is _BEGINS else _BEGINS
    return bool(words.search(name)) and not other.search(name)


def _read(place: int, name: str, rows: Sequence[TableRow], today: date) -> dict[int, _Spans]:
    cells = {row.number: row.cells[place] for row in rows if place < len(row.cells)}
    cells = {number: cell for number, cell in cells.items() if not _NOTHING.fullmatch(cell)}
    if _counts_weeks(name, list(cells.values())):
        return {}
    is_week = bool(_WEEK.search(name))
    read = {number: _cell(cell, today, is_week) for number, cell in cells.items()}
    read = {number: spans for number, spans in read.items() if spans}
    return read if 2 * len(read) > len(cells) else {}


def _cell(cell: str, today: date, is_week: bool) -> _Spans:
    """What stands in brackets counts only where the days stand there."""
    for text in dict.fromkeys((_BRACKETS.sub(" ", cell), cell)):
        spans, left = day_spans(text, today)
        if spans:
            is_remark = len(" ".join(left.split())) > _LONGEST_REMARK
            return () if is_remark else tuple(spans)
    spans, left = week_spans(cell, today, bare=is_week)
    return () if len(" ".join(left.split())) > _LONGEST_REMARK else tuple(spans)


def _counts_weeks(name: str, cells: Sequence[str]) -> bool:
    """Whether the weeks are those of a plan, which begins with 1, and not of the year."""
    found = [
        _WEEK_ALONE.fullmatch(f"{name} {cell}") or _WEEK_ALONE.fullmatch(cell) for cell in cells
    ]
    numbers = [int(match["number"]) for match in found if match and match["number"]]
    return bool(numbers) and min(numbers) == 1 and max(numbers) <= _HALF_A_YEAR


def _from_to(
    begins: Mapping[int, _Spans], ends: Mapping[int, _Spans], end: int, rows: Sequence[TableRow]
) -> dict[int, _Spans]:
    """A row whose end is empty goes on; one whose end cannot be read is left out."""
    found: dict[int, _Spans] = {}
    for row in rows:
        begin = begins.get(row.number, ())
        until = ends.get(row.number, ())
        is_open = end >= len(row.cells) or _NOTHING.fullmatch(row.cells[end])
        if len(begin) != 1 or not (len(until) == 1 or is_open):
            continue
        last = until[0].last if until else date.max
        if begin[0].first <= last:
            found[row.number] = (replace(begin[0], last=last),)
    return found


def _lasting(name: str, written: Mapping[int, _Spans]) -> Mapping[int, _Spans]:
    if _says(_ENDS, name):
        return {}
    is_named = _says(_BEGINS, name)
    if not is_named and (_DUE.search(name) or _DONE.search(name)):
        return written
    if any(len(spans) != 1 or spans[0].first != spans[0].last for spans in written.values()):
        return written
    starts = sorted({span.first for spans in written.values() for span in spans})
    is_weekly = all((after - before).days == WEEK for before, after in pairwise(starts))
    if not is_named and not (is_weekly and len(starts) >= _FEWEST):
        return written
    ends = {before: after - timedelta(1) for before, after in pairwise(starts)}
    is_week = bool(_WEEK.search(name)) or (is_weekly and len(starts) >= _FEWEST)
    ends[starts[-1]] = starts[-1] + timedelta(WEEK - 1) if is_week else date.max
    return {number: (replace(span, last=ends[span.first]),) for number, (span,) in written.items()}
