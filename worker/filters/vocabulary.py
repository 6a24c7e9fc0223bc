"""What a reader may name in a filter: spaces, labels, people and titles of the pages that this reader may read, and no others."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from sqlmodel import Session, col, select

from core.policy.acl import Reader
from core.question import Field
from core.storage.database import Database
from core.storage.index_tables import IndexRow, PageRow, SpaceRow

MOST_READERS = (
    8  # kept at a time: readers of the same ACLs share one, and in channels that is everybody
)
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
        return _beginning(text, self._keys) or _beginning(text, self._keys_by_name, fold=True)

    def is_key(self, word: str) -> bool:
        return word in self._keys

    def label(self, text: str) -> Place | None:
        return _beginning(text, self._labels, fold=True)

    def title(self, text: str) -> Place | None:
        return _beginning(text, self._titles, fold=True)

    def person(self, text: str) -> Place | None:
        """The person that the text begins with: the whole display name, or a first name that only one person has.

        >>> known = Vocabulary({}, people=frozenset({"Anna Berg", "Chris Lund", "Chris Moe"}))
        >>> known.person("Anna?"), known.person("Chris?"), known.person("chris moe"), known.person("Anna Schmidt")
        (('Anna Berg', 4), None, ('Chris Moe', 9), None)
        """
        return _beginning(text, self._people, fold=True) or self._by_first_name(text)

    def value(self, field: Field, text: str) -> str | None:
        """The value of this field that the whole text names."""
        look_up = {
            Field.SPACE: self.space,
            Field.LABEL: self.label,
            Field.PERSON: self.person,
            Field.TITLE: self.title,
        }[field]
        place = look_up(text.strip())
        return place[0] if place and place[1] == len(text.strip()) else None

    def _by_first_name(self, text: str) -> Place | None:
        place = _beginning(text, self._first_names, fold=True)
        goes_on = place and re.match(
            r"[\s-]+[A-ZÄÖÜ]\w", text[place[1] :]
        )  # with another surname than the one that is known
        return None if goes_on else place

    @cached_property
    def _keys(self) -> Mapping[str, str]:
        return {key: key for key in self.spaces if key.upper() == key}

    @cached_property
    def _keys_by_name(self) -> Mapping[str, str]:
        return _unambiguous(
            (re.sub(r"\s+(?:space|bereich)$", "", name, flags=re.I), key)
            for key, name in self.spaces.items()
        )

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        return _unambiguous((label, label) for label in self.labels)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        return _unambiguous((title, title) for title in self.titles)

    @cached_property
    def _people(self) -> Mapping[str, str]:
        first = [name.split()[0].casefold() for name in self.people if len(name.split()) > 1]
        return _unambiguous((name, name) for name in self.people if name.casefold() not in first)

    @cached_property
    def _first_names(self) -> Mapping[str, str]:
        return _unambiguous((name.split()[0], name) for name in self.people if name.strip())


class Vocabularies:
    """The vocabulary of each reader, kept as long as the index stays as it is."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._read = lru_cache(MOST_READERS)(self._from_pages)

    def of(self, reader: Reader) -> Vocabulary:
        with self._database.reading() as session:
            state = session.get(IndexRow, 1)
        if state is None:
            return Vocabulary({})
        return self._read(
            reader.acls, (state.identity, state.revision, int(self._clock() / FRESH_S))
        )

    def _from_pages(self, acls: frozenset[str], _version: tuple[str, int, int]) -> Vocabulary:
        with self._database.reading() as session:
            keys = set(session.exec(_of_readable(PageRow.space, acls)).all())
            names = {
                row.key: row.name
                for row in session.exec(select(SpaceRow).where(col(SpaceRow.key).in_(keys))).all()
            }
            return Vocabulary(
                spaces={key: names.get(key, "") for key in keys},
                labels=frozenset(
                    label
                    for labels in _said(session, "labels", acls)
                    for label in json.loads(labels)
                ),
                people=frozenset(_said(session, "owner", acls)),
                titles=frozenset(session.exec(_of_readable(PageRow.title, acls)).all()) - {""},
            )


def _said(session: Session, name: str, acls: frozenset[str]) -> list[str]:
    """The different values of one field of the readable pages, as text."""
    values = session.exec(_of_readable(col(PageRow.record)[name].as_string(), acls)).all()
    return [value for value in values if value and value.strip()]


def _of_readable(
    column: Any, acls: frozenset[str]
) -> Any:  # SQLModel has no type for a single column of a record
    return select(column).where(col(PageRow.visible), col(PageRow.acl_id).in_(acls)).distinct()


def _beginning(text: str, known: Mapping[str, str], *, fold: bool = False) -> Place | None:
    """The longest known name that the text begins with."""
    for end in sorted(
        (match.start() for match in _END.finditer(text[: LONGEST + 1])), reverse=True
    ):
        name = " ".join(text[:end].split())
        if found := known.get(name.casefold() if fold else name):
            return found, end
    return None


def _unambiguous(named: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Values by their names without case; a name of several values names none of them."""
    found: dict[str, set[str]] = {}
    for name, value in named:
        found.setdefault(" ".join(name.split()).casefold(), set()).add(value)
    return {name: values.pop() for name, values in found.items() if name and len(values) == 1}
