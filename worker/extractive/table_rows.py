"""Rows of tables: the cells that say which row it is, and the columns that were asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from core.evidence.lexical.analyzer import content_words, whole_words, words
from core.evidence.spans import Span
from core.pages import PageKey
from core.question import Completed, QuestionKind
from worker.typed.asked import asks_extreme

NAMED = 0.6  # of a cell's weight that the question must cover for the cell to name its row
TELLING = 3  # words of a question that says of what it wants a list

_IN_BRACKETS = re.compile(r"\([^)]*\)")

Rarity = Callable[[str], float]


def asked_columns(
    span: Span,
    asked: Collection[str],
    besides: Collection[str] = (),
) -> set[str]:
    """The most specific columns that are asked for: not `Limit` beside `Limit per night`.

    A word of the title or heading says which page is meant; it names a column only where nothing
    else does.
    """
    columns = [name for name, _ in span.cells if name not in besides]
    specific = _most_named(columns, set(asked) - span.context_terms)
    return specific or _most_named(columns, set(asked))


def _most_named(
    columns: Sequence[str],
    asked: set[str],
) -> set[str]:
    named = {name: set(words(name)) & asked for name in columns}
    most_named: set[str] = set()
    for name, own in named.items():
        is_outdone = any(own < other for other in named.values())
        if own and not is_outdone:
            most_named.add(name)
    return most_named


def named_cells(
    span: Span,
    completed: Completed,
    rarity: Rarity,
) -> Iterator[tuple[str, str]]:
    """The cells that the question or its conversation names, and that no other cell equals.

    `The fewest people` asks for a column, even where the team of a row is called so.
    """
    wanted = _wanted(completed)
    values = [value for _, value in span.cells]
    columns = set[str]()
    if asks_extreme(completed.question):
        columns = set(whole_words(" ".join(name for name, _ in span.cells)))
    for name, value in span.cells:
        if columns.issuperset(whole_words(value)):
            continue
        if values.count(value) == 1 and _named(value, wanted, rarity) > NAMED:
            yield name, value


def naming(span: Span, completed: Completed, rarity: Rarity) -> float:
    """How fully a cell is named: `the Plover P3` names `Plover P3` more than `Plover P3 Cold`."""
    wanted = _wanted(completed)
    best = 0.0
    for _, value in named_cells(span, completed, rarity):
        best = max(best, _named(value, wanted, rarity))
    return best


def called(span: Span, completed: Completed, rarity: Rarity) -> float:
    """How fully the question itself, not its conversation, names a cell; 0 where it hardly does.

    After a question about line B, `and line A?` asks for the row of line A, whatever else of the
    conversation the row of line B has. What stands in brackets behind a name need not be said. Why
    something is so, no row says better for being called by its name.
    """
    if not span.is_row or completed.kind is QuestionKind.CAUSE:
        return 0.0
    own = set(whole_words(completed.question))
    columns = set(whole_words(" ".join(name for name, _ in span.cells)))
    best = 0.0
    for _, value in span.cells:
        name = _IN_BRACKETS.sub(" ", value)
        if not columns.issuperset(whole_words(name)):  # `how many people` asks for a column
            best = max(best, _named(name, own, rarity))
    return best if best > NAMED else 0.0


def _wanted(completed: Completed) -> set[str]:
    """The words that may name a cell: not those of the conversation where a list is asked for."""
    wanted = set(whole_words(completed.question))
    is_list = completed.kind is QuestionKind.LIST
    if is_list and len(content_words(completed.question)) >= TELLING:
        return wanted
    for part in completed.context:
        wanted |= set(whole_words(part))
    return wanted


def _named(
    value: str,
    wanted: set[str],
    rarity: Rarity,
) -> float:
    """The share of a value's words that are wanted, each by its rarity.

    `Lumo SkyLift 3180` is named by `the 3180 from Lumo`; `2.0` is named by no other number.
    """
    total = named = 0.0
    for term in dict.fromkeys(whole_words(value)):
        weight = rarity(term)
        total += weight
        if term in wanted:
            named += weight
    return named / total if total else 0.0


def same_rows(
    first: Span,
    spans: Sequence[Span],
    completed: Completed,
) -> list[Span]:
    """The rows of the same table that the question names in the same columns, in their order."""
    columns = named_columns(first, completed)
    rows: list[Span] = []
    for span in spans:
        is_same_table = span.is_row and _table(span) == _table(first)
        if is_same_table and columns <= named_columns(span, completed):
            rows.append(span)
    return sorted(rows, key=lambda span: span.place)


def named_columns(span: Span, completed: Completed) -> set[str]:
    """The columns whose cells the question names, all words counting the same."""
    wanted = _wanted(completed)
    columns: set[str] = set()
    for column, value in span.cells:
        if _named(value, wanted, lambda _: 1.0) > NAMED:
            columns.add(column)
    return columns


def _table(span: Span) -> tuple[PageKey, int | None]:
    return span.hit.page.key, span.hit.evidence.table_number
