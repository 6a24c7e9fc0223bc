"""The words of a language that choose rows of a table: by time, and by amount."""

from __future__ import annotations

from core.grammar.words import GrammarTable, Listed


class RowsInTime(GrammarTable):
    through: Listed
    week: Listed
    weekend: Listed
    month: Listed
    year: Listed
    calendar_weeks: Listed
    week_of: Listed
    yesterday: Listed
    today: Listed
    tomorrow: Listed
    after_tomorrow: Listed
    now: Listed
    current: Listed
    following: Listed
    previous: Listed
    before_months: Listed
    before_days: Listed
    before_weekdays: Listed
    next: Listed
    last: Listed
    was: Listed
    begins: Listed
    ends: Listed
    due: Listed
    done: Listed


class RowsByAmount(GrammarTable):
    up_to: Listed
    below: Listed
    at_least: Listed
    above: Listed
    above_or_about: Listed
    or_less: Listed
    or_more: Listed
    between: Listed
    both: Listed


class RowWords(GrammarTable):
    """What questions and cells say of days, and of the amounts from or up to which a row holds."""

    time: RowsInTime
    amounts: RowsByAmount
