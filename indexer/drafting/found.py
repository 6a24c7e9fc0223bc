"""What was found so far, each once, and the YAML it becomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core import organization_terms

NAME_WORDS = 7
_NOBODY = {
    "",
    "-",
    "–",
    "—",
    "n/a",
    "n.n.",
    "tbd",
    "vacant",
    "vakant",
    "open",
    "offen",
    "none",
    "?",
}


@dataclass
class DraftedUnit:
    """A team, a department or a person in one; grows as more is read."""

    name: str
    kind: str
    page: str
    parent: DraftedUnit | None = None

    @property
    def way(self) -> Iterator[DraftedUnit]:
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
        self, name: str, kind: str, page: str, parent: DraftedUnit | None = None
    ) -> DraftedUnit | None:
        """It, merged with what is known under this name in this place; None for what is no name."""
        name = " ".join(name.split()).strip(" :*")
        if (
            name.casefold() in _NOBODY
            or len(name.split()) > NAME_WORDS
            or not any(c.isalpha() for c in name)
        ):
            return None
        known = next(
            (
                each
                for each in self.all
                if _bare(each.name) == _bare(name) and _same(each, kind, parent)
            ),
            None,
        )
        if known is None:
            self.all.append(DraftedUnit(name, kind, page, parent))
            return self.all[-1]
        known.kind = known.kind or kind
        if known.parent is None and parent is not None and known not in parent.way:
            known.parent = parent
        return known

    def named(self, name: str) -> DraftedUnit | None:
        return next((each for each in self.all if _bare(each.name) == _bare(name)), None)

    def entries(self, parent: DraftedUnit | None = None) -> list[dict[str, Any]]:
        """Nested as in the file; a page only where it is not that of the entry above."""
        return [_entry(each, self.entries(each)) for each in self.all if each.parent is parent]

    def counts(self) -> dict[str, int]:
        """How many of each kind."""
        return dict(
            Counter(
                organization_terms.plural(each.kind) if each.kind else "without a kind"
                for each in self.all
            )
        )


def _same(known: DraftedUnit, kind: str, parent: DraftedUnit | None) -> bool:
    """In one place a name is one; elsewhere it may be another: the department Operations, and the team Operations in some other one."""
    if known.parent is parent:
        return True
    return (known.parent is None or parent is None) and (
        known.kind == kind or not (known.kind and kind)
    )


def _bare(name: str) -> str:
    """`Crane Team` and `Crane` are one."""
    said = [word for word in name.casefold().split() if not organization_terms.unit(word)]
    return " ".join(said) or name.casefold()


def _entry(found: DraftedUnit, children: list[dict[str, Any]]) -> dict[str, Any]:
    page = "" if found.parent and found.parent.page == found.page else found.page
    return {
        key: value
        for key, value in {
            "name": found.name,
            "kind": found.kind,
            "page": page,
            "children": children,
        }.items()
        if value
    }
