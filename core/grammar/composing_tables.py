"""The words of a language for sentences that are composed from tables, lists and pages."""

from __future__ import annotations

from core.grammar.words import GrammarTable, Listed


class OverRows(GrammarTable):
    """What is asked over the rows of a table."""

    count: Listed
    total: Listed
    highest: Listed
    lowest: Listed
    latest: Listed
    earliest: Listed
    dearest: Listed
    cheapest: Listed
    compared: Listed


class AboutPages(GrammarTable):
    """Patterns of questions about a page or a thing, which they call `of`; a word for a page.

    `kinds` of pages: a title may say so or not. `fillers` may stand anywhere in such a question and
    say nothing; `and_also` asks behind it for what is told anyway,
    but of what was `begun`.
    """

    page: Listed
    kinds: Listed
    fillers: Listed
    begun: Listed
    and_also: Listed
    owner: Listed
    changed_by: Listed
    changed: Listed
    exists: Listed
    found: Listed
    listed: Listed
    all_of: Listed


class AboutTasks(GrammarTable):
    """What asks for the tasks of a page, and whether for those that are open or done.

    `asked` without a word for a task. `passed_over` says no more; `kinds` of pages that have tasks:
    a title may say so or not. `own`: of who asks, whom no page knows.
    """

    words: Listed
    asked: Listed
    open: Listed
    done: Listed
    last: Listed
    passed_over: Listed
    kinds: Listed
    own: Listed


class QuestionWords(GrammarTable):
    """What wants a cell of a kind, and the names of columns that say where, or how it went."""

    when: Listed
    where: Listed
    price: Listed
    how_long: Listed
    outcomes: Listed
    places: Listed


class Composing(GrammarTable):
    """What a question has to say for a sentence to be composed from typed structure."""

    rows: OverRows
    words: QuestionWords
    pages: AboutPages
    tasks: AboutTasks
    limits: Listed
    passed_over: Listed
    neutral: Listed
    definite: Listed
    indefinite: Listed
    accompanied: Listed
    who: Listed
    which: Listed
    meaning: Listed
    meaning_columns: Listed
    values: Listed
    units: Listed
    is_a: Listed
    totals: Listed
    several: Listed
    blanks: Listed
    idle: Listed
    contrasting: Listed
    subsets: Listed
    periods: Listed
    revised: Listed
    prices: Listed
    days: Listed
    labels: Listed
    quantities: Listed
    annulled: Listed
    changing: Listed
