"""What a table's row says of the organization: units by their columns, and who is what in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core import organization_terms
from core.models import Evidence
from indexer.drafting.found import DraftedUnit, Register

_NAME_COLUMNS = {"name", "person", "who", "wer"}
_ROLE_COLUMNS = {"role", "rolle", "function", "funktion", "position"}
_BETWEEN_PEOPLE = re.compile(r"\s*(?:[;,/&]|\band\b|\bund\b)\s*")
# What contains what, where columns do not stand from the largest to the smallest; others are in between.
_SIZES = {
    "company": 0, "Gesellschaft": 0, "subsidiary": 0, "division": 1, "directorate": 1, "Geschäftsbereich": 1, "Sparte": 1, "Dezernat": 1,
    "Bereich": 2, "department": 3, "Abteilung": 3, "section": 5, "Referat": 5, "group": 6, "Gruppe": 6, "team": 7, "squad": 7,
}  # fmt: skip
_BETWEEN = 4


def read_row(row: Evidence, register: Register, above: DraftedUnit | None) -> None:
    """The units of a row, each under the larger one, and the people in them; `above` is what the page is about."""
    inner: dict[str, DraftedUnit] = {}
    for kind, name in _units(row):
        unit = register.add(name, kind, row.page_id, above)
        if unit is not None:
            inner[kind] = above = unit
    if above is None:
        return
    for column, name in _people(row):
        of = next(
            (inner[unit] for unit in map(organization_terms.unit, column.split()) if unit in inner),
            above,
        )
        register.add(name, organization_terms.role(column) or column, row.page_id, of)


def _units(row: Evidence) -> list[tuple[str, str]]:
    """Kind and name of each unit, the largest first; behind a name in its cell stands what is none: who leads it."""
    named = [
        (organization_terms.unit(_last(column)), value.split(";")[0]) for column, value in row.cells
    ]
    return sorted(
        ((kind, name) for kind, name in named if kind and name.strip()),
        key=lambda each: _SIZES.get(each[0], _BETWEEN),
    )


def _people(row: Evidence) -> Iterator[tuple[str, str]]:
    """What they are, and their names."""
    for column, value in row.cells:
        if organization_terms.role(_plain(column)):
            yield from (
                (_plain(column), name)
                for name in _BETWEEN_PEOPLE.split(value)
                if not any(c.isdigit() for c in name)
            )
    by_column = {column.casefold(): value for column, value in row.cells}
    name = next((by_column[column] for column in _NAME_COLUMNS if column in by_column), "")
    role = next((by_column[column] for column in _ROLE_COLUMNS if column in by_column), "")
    if name and role and len(role.split()) <= 3:
        yield role, name


def _plain(column: str) -> str:
    """`Leiter/in` is `Leiter`."""
    return re.split(r"[/:(*]", column)[0].strip()


def _last(column: str) -> str:
    return _plain(column).split()[-1] if _plain(column) else ""
