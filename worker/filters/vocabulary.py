"""Filter values that a reader may name: spaces, labels, people, titles of pages they may read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from sqlmodel import Session, col, select

from core import grammar
from core.policy.acl import Reader
from core.question import Field
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import IndexRow, PageRow, SpaceRow

# Vocabularies in the cache: readers with the same ACLs share one, and a channel has one reader.
MOST_READERS = 8
FRESH_S = 300  # a new label or owner does not move the index's revision
LONGEST = 255  # characters of a title, in Confluence
_END = re.compile(r"(?<=\S)(?!\w)|(?<=\W)(?<=\S)")  # where a name may end

Place = tuple[str, int]  # a known value, and how many characters of the text name it


@dataclass(frozen=True)
class Vocabulary:
    """The values that conditions may have."""

    spaces: Mapping[str, str]  # the name by the key
    labels: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()  # display names
    titles: frozenset[str] = frozenset()

    def space(self, text: str) -> Place | None:
        """The space that the text begins with: its key, in upper case only, or its name.

        >>> known = Vocabulary({"IT": "Information Technology"})
        >>> known.space("IT?"), known.space("it?"), known.space("information technology?")
        (('IT', 2), None, ('IT', 22))
        """
        by_key = _beginning(text, self._keys)
        return by_key or _beginning(text, self._keys_by_name, fold=True)

    def is_key(self, word: str) -> bool:
        return word in self._keys

    def label(self, text: str) -> Place | None:
        return _beginning(text, self._labels, fold=True)

    def title(self, text: str) -> Place | None:
        return _beginning(text, self._titles, fold=True)

    def person(self, text: str) -> Place | None:
        """The person that the text begins with: a display name, or an unambiguous first name.

        >>> known = Vocabulary({}, people=frozenset({"Anna Berg", "Chris Lund", "Chris Moe"}))
        >>> known.person("Anna?"), known.person("chris moe")
        (('Anna Berg', 4), ('Chris Moe', 9))
        >>> known.person("Chris?"), known.person("Anna Schmidt")
        (None, None)
        """
        by_name = _beginning(text, self._people, fold=True)
        return by_name or self._by_first_name(text)

    def value(self, field: Field, text: str) -> str | None:
        """The value of this field that the whole text names."""
        look_up = {
            Field.SPACE: self.space,
            Field.LABEL: self.label,
            Field.PERSON: self.person,
            Field.TITLE: self.title,
        }[field]
        name = text.strip()
        value, length = look_up(name) or (None, 0)
        return value if length == len(name) else None

    def _by_first_name(self, text: str) -> Place | None:
        place = _beginning(text, self._first_names, fold=True)
        if place is None:
            return None
        _, length = place
        name = re.match(r"[\s-]+(\w)\w", text[length:])
        is_another_surname = name is not None and name[1].isupper()
        return None if is_another_surname else place

    @cached_property
    def _keys(self) -> Mapping[str, str]:
        return {key: key for key in self.spaces if key.upper() == key}

    @cached_property
    def _keys_by_name(self) -> Mapping[str, str]:
        return _unambiguous((_short_name(name), key) for key, name in self.spaces.items())

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        return _without_case(self.labels)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        return _without_case(self.titles)

    @cached_property
    def _people(self) -> Mapping[str, str]:
        """Without a name that is a first name of others."""
        first_names: set[str] = set()
        for name in self.people:
            first, *others = name.split() or [""]
            if others:
                first_names.add(first.casefold())
        return _without_case(name for name in self.people if name.casefold() not in first_names)

    @cached_property
    def _first_names(self) -> Mapping[str, str]:
        names = filter(str.strip, self.people)
        return _unambiguous((name.split()[0], name) for name in names)


class Vocabularies:
    """The vocabulary of each reader, kept as long as the index stays as it is."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = clock.now,
    ) -> None:
        self._database = database
        self._clock = clock
        self._read = lru_cache(MOST_READERS)(self._from_pages)

    def of(self, reader: Reader) -> Vocabulary:
        with self._database.reading() as session:
            state = session.get(IndexRow, 1)
        if state is None:
            return Vocabulary({})
        freshness = int(self._clock() / FRESH_S)
        version = (state.identity, state.revision, freshness)
        return self._read(reader.acls, version)

    def _from_pages(
        self,
        acls: frozenset[str],
        _version: tuple[str, int, int],
    ) -> Vocabulary:
        with self._database.reading() as session:
            titles = session.exec(_of_readable(PageRow.title, acls)).all()
            return Vocabulary(
                spaces=_spaces(session, acls),
                labels=_labels(session, acls),
                people=frozenset(_values(session, "owner", acls)),
                titles=frozenset(titles) - {""},
            )


def _spaces(
    session: Session,
    acls: frozenset[str],
) -> Mapping[str, str]:
    keys = session.exec(_of_readable(PageRow.space, acls)).all()
    named = select(SpaceRow).where(col(SpaceRow.key).in_(keys))
    names = dict.fromkeys(keys, "")
    for row in session.exec(named).all():
        names[row.key] = row.name
    return names


def _labels(session: Session, acls: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for labels in _values(session, "labels", acls):
        found.update(json.loads(labels))
    return frozenset(found)


def _values(
    session: Session,
    field: str,
    acls: frozenset[str],
) -> list[str]:
    """The different values of one field of the readable pages, as text."""
    column = col(PageRow.record)[field].as_string()
    values = session.exec(_of_readable(column, acls)).all()
    return [value for value in values if value and value.strip()]


# SQLModel has no type for a single column of a record.
def _of_readable(column: Any, acls: frozenset[str]) -> Any:
    visible, readable = col(PageRow.visible), col(PageRow.acl_id).in_(acls)
    return select(column).where(visible, readable).distinct()


def _short_name(space: str) -> str:
    """A space's name without the word `space` at its end."""
    word = grammar.merged().filters.places.space
    return re.sub(rf"\s+{word}$", "", space, flags=re.I)


def _beginning(
    text: str,
    known: Mapping[str, str],
    *,
    fold: bool = False,
) -> Place | None:
    """The longest known name that the text begins with."""
    ends = list(_END.finditer(text[: LONGEST + 1]))
    for match in reversed(ends):
        end = match.start()
        name = " ".join(text[:end].split())
        found = known.get(name.casefold() if fold else name)
        if found:
            return found, end
    return None


def _unambiguous(named: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Values by their names without case; a name of several values names none of them."""
    found: dict[str, set[str]] = {}
    for name, value in named:
        key = " ".join(name.split()).casefold()
        found.setdefault(key, set()).add(value)
    unambiguous: dict[str, str] = {}
    for name, values in found.items():
        if name and len(values) == 1:
            (unambiguous[name],) = values
    return unambiguous


def _without_case(names: Iterable[str]) -> Mapping[str, str]:
    return _unambiguous((name, name) for name in names)
