"""Rows of tables as quotes: the cells that say which row it is, and those that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from core.evidence.lexical.analyzer import content_words, whole_words, words
from core.question import Completed, QuestionKind
from worker.extractive.spans import Cells, Span
from worker.text.citations import without_brackets

NAMED = (
    0.6  # of a cell's weight must be covered by the question for the cell to say which row it is
)
MOST_NAMES = 2  # cells that lead a row
MOST_CELLS = 6  # of a row that are shown
TELLING = 3  # words of a question that says of what it wants a list

Rarity = Callable[[str], float]


def asked_columns(unit: Span, asked: Collection[str], besides: Collection[str] = ()) -> set[str]:
    """Columns named in the question, without those that another column says more of: `Limit`, where there is `Limit per night`.

    A word of the title or heading says which page is meant; it names a column only where nothing else does.
    """
    columns = [name for name, _ in unit.cells if name not in besides]
    return _most_named(columns, set(asked) - unit.context_terms) or _most_named(columns, set(asked))


def _most_named(columns: Sequence[str], asked: set[str]) -> set[str]:
    named = {name: set(words(name)) & asked for name in columns}
    return {
        name
        for name, own in named.items()
        if own and not any(own < other for other in named.values())
    }


def named_cells(unit: Span, completed: Completed, rarity: Rarity) -> list[tuple[str, str]]:
    """The cells that the question or its conversation names: they say which row it is, unless their value stands there twice."""
    wanted = _wanted(completed)
    values = [value for _, value in unit.cells]
    return [
        (name, value)
        for name, value in unit.cells
        if values.count(value) == 1 and _named(value, wanted, rarity) > NAMED
    ]


def naming(unit: Span, completed: Completed, rarity: Rarity) -> float:
    """How fully the cells that the question names are named: `Plover P3 Cold` less than `Plover P3` by `the Plover P3`."""
    wanted = _wanted(completed)
    return max(
        (_named(value, wanted, rarity) for _, value in named_cells(unit, completed, rarity)),
        default=0.0,
    )


def _wanted(completed: Completed) -> set[str]:
    """Who asks for a list and says of what means that, and not what the conversation was about before."""
    if completed.kind is QuestionKind.LIST and len(content_words(completed.question)) >= TELLING:
        return set(whole_words(completed.question))
    return {term for part in (completed.question, *completed.context) for term in whole_words(part)}


def _named(value: str, wanted: set[str], rarity: Rarity) -> float:
    """The share of a value's words: `Lumo SkyLift 3180` is named by `the 3180 from Lumo`; `2.0` is named by no other number."""
    rarities = {term: rarity(term) for term in whole_words(value)}
    total = sum(rarities.values())
    return sum(r for term, r in rarities.items() if term in wanted) / total if total else 0.0


def shown_cells(unit: Span, completed: Completed, rarity: Rarity) -> tuple[list[str], Cells]:
    """The values that lead the row, and its cells that were asked for, or else all of them.

    What was asked for may be the very cell that the question cannot name: a row without a name is led by its first cell.
    """
    named = named_cells(unit, completed, rarity)
    columns = asked_columns(unit, content_words(completed.question), {name for name, _ in named})
    lead = named or [cell for cell in _name(unit.cells) if cell[0] not in columns]
    shown = [
        cell
        for cell in unit.cells
        if (cell[0] in columns or not columns) and cell not in lead and cell[1]
    ]
    return [value for _, value in lead[:MOST_NAMES] if value], tuple(shown)


def same_rows(first: Span, units: Sequence[Span], completed: Completed) -> list[Span]:
    """The rows of the first one's table that are named by the question in the same columns, in their order."""
    columns = named_columns(first, completed)
    same_table = [unit for unit in units if unit.is_row and _table(unit) == _table(first)]
    return sorted(
        (unit for unit in same_table if columns <= named_columns(unit, completed)),
        key=lambda unit: unit.place,
    )


def named_columns(unit: Span, completed: Completed) -> set[str]:
    """The columns whose cells the question names, all words counting the same."""
    wanted = _wanted(completed)
    return {name for name, value in unit.cells if _named(value, wanted, lambda _: 1.0) > NAMED}


def _table(unit: Span) -> tuple[str, int | None]:
    return unit.hit.page.id, unit.hit.evidence.table


def _name(cells: Cells) -> list[tuple[str, str]]:
    """The first cell with a letter: a number in front of a row is not its name."""
    return [cell for cell in cells if any(map(str.isalpha, cell[1]))][:1]


def written(lead: Sequence[str], shown: Cells) -> str:
    """`**Lumo SkyLift 4260**: Status is failed; Tester is Ben`"""
    name = f"**{', '.join(lead)}**: " if lead and shown else ", ".join(lead)
    cells = [f"{column} is {value}" for column, value in shown[:MOST_CELLS]]
    return without_brackets(name + "; ".join([*cells, *(["…"] if len(shown) > MOST_CELLS else [])]))
