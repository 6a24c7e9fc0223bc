"""Reads units from lists: one under `Teams` names teams, a nested item belongs to its parent."""

from __future__ import annotations

import re

from core import organization_terms
from core.models import Evidence, Page
from indexer.drafting.found import DraftedUnit, Register
from indexer.drafting.sources import kind_of, listed_kind

_ITEM = re.compile(r"^( *)(?:[-•*]|\d+[.)])\s+(.*)$")
_AFTER_NAME = re.compile(r"\s+[–—-]\s+|[:(]")


def read_list(
    piece: Evidence,
    page: Page,
    register: Register,
    above: DraftedUnit | None,
) -> None:
    """Its items, when what announces it promises units; `above` is what the page is about."""
    lines = piece.text.splitlines()
    promised = _promised(lines[0], piece, page)
    if not promised:
        return
    for heading in piece.heading_path:  # the nearest one counts
        above = register.named(heading) or above
    levels: list[tuple[int, DraftedUnit]] = []
    for line in lines:
        item = _ITEM.match(line)
        if item is None:
            continue
        indent = len(item[1])
        while levels and levels[-1][0] >= indent:
            levels.pop()
        under = levels[-1][1] if levels else above
        found = _read_item(item[2], page, register, under, "" if levels else promised)
        if found is not None:
            levels.append((indent, found))


def _promised(first_line: str, piece: Evidence, page: Page) -> str:
    """The kind of unit that the two lines or headings nearest above a list promise."""
    above = [] if _ITEM.match(first_line) else [first_line]
    above += reversed(piece.heading_path or (page.title,))
    return next(filter(None, map(listed_kind, above[:2])), "")


def _read_item(
    text: str,
    page: Page,
    register: Register,
    under: DraftedUnit | None,
    kind: str,
) -> DraftedUnit | None:
    """`Crane – turns the cranes` is the team Crane, `Lead: Ida Holm` a person under it."""
    name, *after = _AFTER_NAME.split(text, maxsplit=1)
    role = organization_terms.role(name)
    if role and after:
        if under is not None:
            register.add(after[0], role, page.id, under)
        return None
    return register.add(name, kind_of(name) or kind, page.id, under)
