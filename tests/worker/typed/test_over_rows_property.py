"""Counts, filters, extremes and sums say of any table what a plain reading of its rows says."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from wiki import hit, piece

from core.models import Hit, Kind
from core.question import Completed
from core.structure import TableRow, TableSlice
from worker.question.classify import classify
from worker.typed.amounts import read_column
from worker.typed.compose import lead

HEADER = ("Crane", "Quay", "Load")
Row = tuple[str, str, int]
NAMES = [f"Kran{letter}" for letter in "abcdefgh"]
QUAYS = ["North", "South", "East"]


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=8, unique=True))
    return [(name, draw(st.sampled_from(QUAYS)), draw(st.integers(0, 2_000_000))) for name in names]


def written(load: int) -> str:
    return f"{load:,} kg"


def whole(rows: list[Row], first: int = 1) -> Hit:
    made = tuple(
        TableRow(number=number, cells=(name, quay, written(load)))
        for number, (name, quay, load) in enumerate(rows, start=first)
    )
    table = TableSlice(number=1, header=HEADER, rows=made)
    return hit(piece(table.text, kind=Kind.TABLE, table=table, heading_path=("Cranes",)))


def ask(question: str, *hits: Hit) -> str:
    completed = Completed(question=question, text=question, language="en")
    said = lead(completed.model_copy(update={"kind": classify(completed)}), hits)
    return re.sub(r"\s*\[\d+\]", "", said.text)


def between(said: str) -> list[str]:
    """What is in bold type."""
    found = re.findall(r"\*\*([^*]+)\*\*", said)
    return found[0].split(", ") if found else []


@given(tables(), st.sampled_from(QUAYS))
def test_a_filter_and_a_count_give_the_rows_that_have_the_cell(rows: list[Row], quay: str) -> None:
    there = [name for name, at, _ in rows if at == quay]
    assert between(ask(f"Which cranes are on {quay}?", whole(rows))) == there
    counted = ask(f"How many cranes are on {quay}?", whole(rows))
    assert between(counted) == ([str(len(there))] if there else [])
    if there:
        assert counted.endswith(f": {', '.join(there)}")


@given(tables())
def test_an_extreme_is_said_only_as_every_reading_has_it(rows: list[Row]) -> None:
    highest = max(load for _, _, load in rows)
    best = [name for name, _, load in rows if load == highest]
    said = between(ask("Which crane has the highest load?", whole(rows)))
    assert said in ([], best)
    if all(load < 1000 for _, _, load in rows) or highest >= 1_000_000:
        assert said == (best if len(best) <= 3 else [])


@given(tables())
def test_a_sum_is_that_of_all_rows_or_is_not_said(rows: list[Row]) -> None:
    said = between(ask("What is the total load?", whole(rows)))
    total = sum(load for _, _, load in rows)
    assert said == [] or said[0].startswith(f"{total:,}") or "," in f"{total:,}"
    assert "".join(said).replace(",", "") in ("", f"{total} kg")


@given(tables(), st.data())
def test_without_one_of_its_rows_a_table_is_never_counted(
    rows: list[Row], data: st.DataObject
) -> None:
    gone = data.draw(st.integers(1, len(rows) - 1))
    left = whole(rows)
    table = left.evidence.table
    assert table is not None
    cut = left.evidence.model_copy(update={"table": table.without({gone: range(len(HEADER))})})
    assert ask("How many cranes are there?", left) != ""
    assert ask("How many cranes are there?", left.model_copy(update={"evidence": cut})) == ""


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=6))
def test_numbers_are_read_in_the_notation_of_both_languages(numbers: list[int]) -> None:
    for cells in ([f"{n:,}" for n in numbers], [f"{n:,}".replace(",", ".") for n in numbers]):
        found = read_column(cells)
        assert found is not None
        assert tuple(map(float, numbers)) in found.readings
