"""Reads the entities file: teams, people and things that the operator lists, and their parents.

A YAML list of entries, nested through `children` or tied together by `parent`, in any mixture:

    - name: Harbour Operations
      kind: department
      aliases: [HO, Hafenbetrieb]
      page: "1002"
      children:
        - {name: Crane, kind: team}
    - {name: Pilot, kind: team, parent: Harbour Operations}

An entry has a page: who may read that page may see the entry. An entry without `page` has the page
of the entry above it.
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
    page: str  # id or address, its own or that of the nearest entry above
    parent: int | None = None  # the entry it belongs to, by its place in the sequence


def read(file: Path) -> tuple[Entity, ...]:
    """The entries of the file, each before those under it.

    Raises:
        SettingsError: the file cannot be used; the message names the line and the cure.
    """
    try:
        text = file.read_text(encoding="utf-8")
        content = yaml.load(text, Loader=_LineLoader)  # noqa: S506  (a SafeLoader)
        entries = list(_flat(content, None, 1))
        parents = [_parent(entry, entries) for entry in entries]
        _refuse_same_names(entries, parents)
        return tuple(_entities(entries, parents))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(f"ENTITIES_FILE={file} cannot be read: {error}") from error
    except _InvalidEntry as invalid:
        raise SettingsError(f"ENTITIES_FILE={file}, {invalid}") from None


class _InvalidEntry(Exception):
    """An entry cannot be used."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")


class _LineLoader(yaml.SafeLoader):
    """Adds to each entry the line in which it begins."""

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,
    ) -> dict[Any, Any]:
        mapping = super().construct_mapping(node, deep=deep)
        return {**mapping, _LINE: node.start_mark.line + 1}


class _WrittenEntity(BaseModel):
    """An entry as it is written."""

    model_config = ConfigDict(
        extra="forbid",
        coerce_numbers_to_str=True,
        str_strip_whitespace=True,
    )
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


def _flat(
    content: Any,
    above: int | None,
    line: int,
    count: int = 0,
) -> Iterator[_Placed]:
    """Every entry, each before those under it; `count` of them came before."""
    if not isinstance(content, list):
        raise _InvalidEntry(line, "expected a list: begin each entry with `- name: …`")
    for item in content:
        entry = _entry(item, line)
        yield _Placed(entry, above)
        mine = count
        count += 1
        for inner in _flat(entry.children, mine, entry.line, count):
            count += 1
            yield inner


def _entry(item: Any, line: int) -> _WrittenEntity:
    if not isinstance(item, dict):
        raise _InvalidEntry(line, f"{item!r} is no entry: write `- name: {item}`")
    given = {name: value for name, value in item.items() if value is not None}
    try:
        return _WrittenEntity.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = str(first["loc"][0]) if first["loc"] else "entry"
        cure = "put text into quotes where YAML takes it for something else"
        if first["type"] == "extra_forbidden":
            cure = f"write {FIELDS}"
        raise _InvalidEntry(item[_LINE], f"`{where}`: {first['msg']}; {cure}") from None


def _parent(entry: _Placed, entries: Sequence[_Placed]) -> int | None:
    written = entry.written
    if not written.parent:
        return entry.above
    if entry.above is not None:
        sentence = (
            f"“{written.name}” stands under another entry and has a parent: "
            "leave one of the two out"
        )
        raise _InvalidEntry(written.line, sentence)
    named = list(_called(written.parent, entries))
    if len(named) != 1:
        cure = "write an entry for it, or mend its name"
        if named:
            cure = "put it under the one that is meant, as one of its children"
        sentence = (
            f"{len(named) or 'no'} entries are called “{written.parent}”, "
            f"the parent of “{written.name}”: {cure}"
        )
        raise _InvalidEntry(written.line, sentence)
    return named[0]


def _called(name: str, entries: Sequence[_Placed]) -> Iterator[int]:
    for number, entry in enumerate(entries):
        if name.casefold() in _names(entry.written):
            yield number


def _names(entry: _WrittenEntity) -> set[str]:
    return set(map(str.casefold, (entry.name, *entry.aliases)))


def _refuse_same_names(
    entries: Sequence[_Placed],
    parents: Sequence[int | None],
) -> None:
    """Two may share a name when they belong to different things; an alias is one entry's alone."""
    seen: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        for name in _names(entry.written):
            for other in seen.setdefault(name, []):
                known = entries[other].written
                names = {entry.written.name.casefold(), known.name.casefold()}
                are_siblings = parents[number] == parents[other]
                if names != {name} or are_siblings:
                    sentence = (
                        f"“{name}” is a name of the entry in line {known.line} already: "
                        "leave one of the two out"
                    )
                    raise _InvalidEntry(entry.written.line, sentence)
            seen[name].append(number)


def _entities(
    entries: Sequence[_Placed],
    parents: Sequence[int | None],
) -> Iterator[Entity]:
    for number, placed in enumerate(entries):
        entry = placed.written
        yield Entity(
            name=entry.name,
            kind=entry.kind,
            aliases=tuple(entry.aliases),
            page=_page(number, entries, parents),
            parent=parents[number],
        )


def _page(
    number: int,
    entries: Sequence[_Placed],
    parents: Sequence[int | None],
) -> str:
    """The entry's own page, or that of the nearest entry above."""
    entry = entries[number].written
    page = ""
    for above in _upwards(number, entries, parents):
        page = page or entries[above].written.page
    if not page:
        sentence = (
            f"“{entry.name}” has no page, nor has what it belongs to: "
            "write `page:` with the id or address of one"
        )
        raise _InvalidEntry(entry.line, sentence)
    return page


def _upwards(
    number: int, entries: Sequence[_Placed], parents: Sequence[int | None]
) -> Iterator[int]:
    """An entry and all above it."""
    seen: set[int] = set()
    at: int | None = number
    while at is not None:
        if at in seen:
            names = " → ".join(entries[each].written.name for each in sorted(seen))
            sentence = f"these belong to one another in a circle: {names}; take one `parent` away"
            raise _InvalidEntry(entries[number].written.line, sentence)
        seen.add(at)
        yield at
        at = parents[at]
