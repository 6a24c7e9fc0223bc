"""What a list says of the organization: one under `Teams` names teams, an item under another belongs to it."""

from __future__ import annotations

import re

from core import organization_terms
from core.models import Evidence, Page
from indexer.drafting.found import DraftedUnit, Register
from indexer.drafting.sources import kind_of, listed_kind

_ITEM = re.compile(r"^( *)(?:[-•*]|\d+[.)])\s+(.*)$")
_BEHIND_A_NAME = re.compile(r"\s+[–—-]\s+|[:(]")


def read_list(piece: Evidence, page: Page, register: Register, above: DraftedUnit | None) -> None:
    """Its items, when what stands above it promises units; `above` is what the page is about."""
    lines = piece.text.splitlines()
    announced = [] if _ITEM.match(lines[0]) else lines[:1]
    headings = [
        *announced,
        *reversed(piece.heading_path),
        *([] if piece.heading_path else [page.title]),
    ]
    promised = next(filter(None, map(listed_kind, headings[:2])), "")
    if not promised:
        return
    above = next(
        filter(None, (register.named(heading) for heading in reversed(piece.heading_path))), above
    )
    levels: list[tuple[int, DraftedUnit]] = []
    for indent, text in (
        (len(match[1]), match[2]) for line in lines if (match := _ITEM.match(line))
    ):
        levels = [level for level in levels if level[0] < indent]
        under = levels[-1][1] if levels else above
        found = _item(text, page, register, under, promised if not levels else "")
        if found is not None:
            levels.append((indent, found))


def _item(
    text: str, page: Page, register: Register, under: DraftedUnit | None, kind: str
) -> DraftedUnit | None:
    """`Crane – turns the cranes` is the team Crane, `Lead: Ida Holm` a person under it."""
    name, *behind = _BEHIND_A_NAME.split(text, maxsplit=1)
    role = organization_terms.role(name)
    if role and behind:
        if under is not None:
            register.add(behind[0], role, page.id, under)
        return None
    return register.add(name, kind_of(name) or kind, page.id, under)
