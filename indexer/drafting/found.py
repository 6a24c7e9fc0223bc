"""Deduplicates the units that were found, and nests them as entries of the entities file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core import grammar, organization_terms

NAME_WORDS = 7
_NOBODY = {"", "-", "–", "—", "?", *grammar.merged().drafting.nobody}


@dataclass
class DraftedUnit:
    """A team, a department or a person in one; grows as more is read."""

    name: str
    kind: str
    page: str
    parent: DraftedUnit | None = None

    @property
    def lineage(self) -> Iterator[DraftedUnit]:
        """It and all above it."""
        at: DraftedUnit | None = self
        while at is not None:
            yield at
            at = at.parent


class Register:
    """Everything that was found."""

    def __init__(self) -> None:
        self.all: list[DraftedUnit] = []

    def add(
        self,
        name: str,
        kind: str,
        page: str,
        parent: DraftedUnit | None = None,
    ) -> DraftedUnit | None:
        """The unit, merged with one of this name in this place; None for what is no name."""
        name = " ".join(name.split()).strip(" :*")
        if not _is_name(name):
            return None
        known = self._known(name, kind, parent)
        if known is None:
            self.all.append(DraftedUnit(name, kind, page, parent))
            return self.all[-1]
        known.kind = known.kind or kind
        if known.parent is None and parent is not None and known not in parent.lineage:
            known.parent = parent
        return known

    def _known(
        self,
        name: str,
        kind: str,
        parent: DraftedUnit | None,
    ) -> DraftedUnit | None:
        for each in self._all_named(name):
            if _is_same(each, kind, parent):
                return each
        return None

    def named(self, name: str) -> DraftedUnit | None:
        return next(self._all_named(name), None)

    def _all_named(self, name: str) -> Iterator[DraftedUnit]:
        bare = _bare(name)
        for each in self.all:
            if _bare(each.name) == bare:
                yield each

    def entries(self, parent: DraftedUnit | None = None) -> list[dict[str, Any]]:
        """Nested as in the file; a page only where it is not that of the entry above."""
        children = (each for each in self.all if each.parent is parent)
        return [_entry(child, self.entries(child)) for child in children]

    def counts(self) -> dict[str, int]:
        """How many of each kind."""
        counted: Counter[str] = Counter()
        for each in self.all:
            kind = organization_terms.plural(each.kind) if each.kind else "without a kind"
            counted[kind] += 1
        return dict(counted)


def _is_name(text: str) -> bool:
    if text.casefold() in _NOBODY or len(text.split()) > NAME_WORDS:
        return False
    return any(character.isalpha() for character in text)


def _is_same(known: DraftedUnit, kind: str, parent: DraftedUnit | None) -> bool:
    """In one place a name is one unit; elsewhere it may be another.

    The department Operations is not the team Operations of some other department.
    """
    if known.parent is parent:
        return True
    if known.parent is not None and parent is not None:
        return False
    return known.kind == kind or not (known.kind and kind)


def _bare(name: str) -> str:
    """`Crane Team` and `Crane` are one."""
    folded = name.casefold()
    bare = [word for word in folded.split() if not organization_terms.unit(word)]
    return " ".join(bare) or folded


def _entry(
    found: DraftedUnit,
    children: list[dict[str, Any]],
) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": found.name}
    if found.kind:
        entry["kind"] = found.kind
    inherits_page = found.parent is not None and found.parent.page == found.page
    if found.page and not inherits_page:
        entry["page"] = found.page
    if children:
        entry["children"] = children
    return entry
