"""The entities file: teams, departments, people and things that the operator has written down, and where they belong.

A YAML list of entries, nested through `children` or tied together by `parent`, in any mixture:

    - name: Harbour Operations
      kind: department
      aliases: [HO, Hafenbetrieb]
      page: "1002"
      children:
        - {name: Crane, kind: team}
    - {name: Pilot, kind: team, parent: Harbour Operations}

An entry speaks for a page: who may read that page may be told of it. One without `page` speaks for the page of the entry above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import SettingsError
from core.value import Value

FIELDS = "name, aliases, kind, page, parent or children"
_LINE = "__line__"


class Entity(Value):
    """Something the file names."""

    name: str
    kind: str = ""  # in the singular, as the operator calls it: team, Abteilung, product, lead
    aliases: tuple[str, ...] = ()
    page: str  # id or address of the page it speaks for, its own or that of the nearest entry above
    parent: int | None = None  # place in the file's sequence of what it belongs to


def read(file: Path) -> tuple[Entity, ...]:
    """What the file says, what something belongs to always as a place in the sequence.

    Raises:
        SettingsError: the file cannot be used; the message names the line and the cure.
    """
    try:
        said = yaml.load(file.read_text(encoding="utf-8"), Loader=_Lines)  # noqa: S506  (a SafeLoader)
        entries = list(_flat(said, None, 1))
        parents = [_parent(entry, entries) for entry in entries]
        _refuse_same_names(entries, parents)
        return tuple(_entity(number, entries, parents) for number in range(len(entries)))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(f"ENTITIES_FILE={file} cannot be read: {error}") from error
    except _Wrong as wrong:
        raise SettingsError(f"ENTITIES_FILE={file}, {wrong}") from None


class _Wrong(Exception):
    """An entry cannot be used."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")


class _Lines(yaml.SafeLoader):
    """Remembers of each entry the line in which it begins."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        return {**super().construct_mapping(node, deep=deep), _LINE: node.start_mark.line + 1}


class _WrittenEntity(BaseModel):
    """An entry as it is written."""

    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True, str_strip_whitespace=True)
    name: str = Field(min_length=1)
    aliases: list[str] = []
    kind: str = ""
    page: str = ""
    parent: str = ""
    children: list[Any] = []
    line: int = Field(alias=_LINE)


@dataclass(frozen=True)
class _Placed:
    """An entry, and the number of the one it stands under."""

    written: _WrittenEntity
    above: int | None


def _flat(said: Any, above: int | None, line: int, count: int = 0) -> Iterator[_Placed]:
    """Every entry, each before those under it; `count` of them came before."""
    if not isinstance(said, list):
        raise _Wrong(line, "expected a list: begin each entry with `- name: …`")
    for item in said:
        entry = _entry(item, line)
        yield _Placed(entry, above)
        mine = count
        count += 1
        for inner in _flat(entry.children, mine, entry.line, count):
            count += 1
            yield inner


def _entry(item: Any, line: int) -> _WrittenEntity:
    if not isinstance(item, dict):
        raise _Wrong(line, f"{item!r} is no entry: write `- name: {item}`")
    try:
        return _WrittenEntity.model_validate(
            {name: value for name, value in item.items() if value is not None}
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = str(first["loc"][0]) if first["loc"] else "entry"
        cure = (
            f"write {FIELDS}"
            if first["type"] == "extra_forbidden"
            else "put text into quotes where YAML takes it for something else"
        )
        raise _Wrong(item[_LINE], f"`{where}`: {first['msg']}; {cure}") from None


def _parent(entry: _Placed, entries: Sequence[_Placed]) -> int | None:
    written = entry.written
    if not written.parent:
        return entry.above
    if entry.above is not None:
        raise _Wrong(
            written.line,
            f"“{written.name}” stands under another entry and has a parent: leave one of the two out",
        )
    named = [
        number
        for number, other in enumerate(entries)
        if written.parent.casefold() in _names(other.written)
    ]
    if len(named) != 1:
        cure = (
            "put it under the one that is meant, as one of its children"
            if named
            else "write an entry for it, or mend its name"
        )
        raise _Wrong(
            written.line,
            f"{len(named) or 'no'} entries are called “{written.parent}”, the parent of “{written.name}”: {cure}",
        )
    return named[0]


def _names(entry: _WrittenEntity) -> set[str]:
    return {name.casefold() for name in (entry.name, *entry.aliases)}


def _refuse_same_names(entries: Sequence[_Placed], parents: Sequence[int | None]) -> None:
    """Two may share a name when they belong to different things; an alias is one entry's alone."""
    seen: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        for name in _names(entry.written):
            for other in seen.setdefault(name, []):
                known = entries[other].written
                both_named = entry.written.name.casefold() == known.name.casefold() == name
                if not both_named or parents[number] == parents[other]:
                    raise _Wrong(
                        entry.written.line,
                        f"“{name}” is a name of the entry in line {known.line} already: leave one of the two out",
                    )
            seen[name].append(number)


def _entity(number: int, entries: Sequence[_Placed], parents: Sequence[int | None]) -> Entity:
    entry = entries[number].written
    way = list(_upwards(number, entries, parents))
    page = next((entries[each].written.page for each in way if entries[each].written.page), "")
    if not page:
        raise _Wrong(
            entry.line,
            f"“{entry.name}” has no page, nor has what it belongs to: write `page:` with the id or address of one",
        )
    return Entity(
        name=entry.name,
        kind=entry.kind,
        aliases=tuple(entry.aliases),
        page=page,
        parent=parents[number],
    )


def _upwards(
    number: int, entries: Sequence[_Placed], parents: Sequence[int | None]
) -> Iterator[int]:
    """An entry and all above it."""
    seen: set[int] = set()
    at: int | None = number
    while at is not None:
        if at in seen:
            names = " → ".join(entries[each].written.name for each in sorted(seen))
            raise _Wrong(
                entries[number].written.line,
                f"these belong to one another in a circle: {names}; take one `parent` away",
            )
        seen.add(at)
        yield at
        at = parents[at]
