"""Reads units and people from the rows of tables, by the names of their columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core import grammar, organization_terms
from core.models import Evidence
from indexer.drafting.found import DraftedUnit, Register

_WORDS = grammar.merged().drafting
_BETWEEN_PEOPLE = re.compile(rf"\s*(?:[;,/&]|\b{_WORDS.between_people}\b)\s*")


def read_row(row: Evidence, register: Register, above: DraftedUnit | None) -> None:
    """Register the units of a row, each under the larger one, and the people in them.

    `above` is what the page is about.
    """
    inner: dict[str, DraftedUnit] = {}
    for kind, name in _units(row):
        unit = register.add(name, kind, row.page_id, above)
        if unit is not None:
            inner[kind] = above = unit
    if above is None:
        return
    for column, name in _people(row):
        kinds = map(organization_terms.unit, column.split())
        named = next((kind for kind in kinds if kind in inner), "")
        unit = inner.get(named, above)
        register.add(name, organization_terms.role(column) or column, row.page_id, unit)


def _units(row: Evidence) -> list[tuple[str, str]]:
    """Kind and name of each unit, the largest first."""
    units: list[tuple[str, str]] = []
    for column, value in row.cells:
        kind = organization_terms.unit(_last(column))
        name = value.split(";")[0]  # what follows in the cell is no unit: who leads it
        if kind and name.strip():
            units.append((kind, name))
    return sorted(units, key=lambda unit: organization_terms.size(unit[0]))


def _people(row: Evidence) -> Iterator[tuple[str, str]]:
    """What they are, and their names."""
    for column, value in row.cells:
        if organization_terms.role(_plain(column)):
            for name in _BETWEEN_PEOPLE.split(value):
                if not any(character.isdigit() for character in name):
                    yield _plain(column), name
    name = _value(row, _WORDS.name_columns)
    role = _value(row, _WORDS.role_columns)
    if name and role and len(role.split()) <= 3:
        yield role, name


def _value(row: Evidence, columns: Collection[str]) -> str:
    """The cell under one of these columns."""
    by_column = {column.casefold(): value for column, value in row.cells}
    return next((by_column[column] for column in columns if column in by_column), "")


def _plain(column: str) -> str:
    """`Leiter/in` is `Leiter`."""
    return re.split(r"[/:(*]", column)[0].strip()


def _last(column: str) -> str:
    return _plain(column).split()[-1] if _plain(column) else ""
