"""Gaps: what the wiki lacks, by what people asked, with the nearest pages and their owners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlmodel import col, select
from starlette.responses import RedirectResponse, Response

from console.guard import Visit
from console.rendering import HEADERS
from core.digest import fixes
from core.digest.digest import Fix
from core.policy.audit import Act
from core.reports import gaps
from core.reports.gaps import WikiGap
from core.reports.period import CHOICES, period
from core.reports.privacy import may_be_read
from core.storage.database import Database
from core.storage.tables import TurnRow

MOST = 40  # gaps on the page


def show(visit: Visit) -> Response:
    chosen = period(visit.asked("days") or "30")
    found = gaps.gaps(visit.parts.database, chosen, visit.parts.embed)
    shown = found.gaps[:MOST]
    pages = visit.parts.readable({page for gap in shown for page in gap.pages}, visit.reader)
    return visit.show(
        "gaps",
        gaps=_with_fixes(visit.parts.database, shown),
        more=len(found.gaps) - len(shown),
        private=found.private,
        pages=pages,
        period=chosen,
        choices=CHOICES,
    )


def fixed(visit: Visit, form: Mapping[str, str]) -> Response:
    """Somebody says that a gap is fixed: its questions are asked again after the next sync."""
    seen = _readable(visit.parts.database, form.get("turns", "").split()[: gaps.MOST])
    if not fixes.mark_in_console(visit.parts.database, seen):
        return visit.not_there()
    visit.audit(Act.MARKED_FIXED, details={"questions": len(seen)})
    return RedirectResponse("/gaps", 303, headers=HEADERS)


def _readable(database: Database, turn_ids: Sequence[str]) -> list[str]:
    here = select(TurnRow.id).where(col(TurnRow.id).in_(turn_ids), may_be_read())
    with database.reading() as session:
        return list(session.exec(here).all())


def _with_fixes(database: Database, shown: Sequence[WikiGap]) -> list[tuple[WikiGap, Fix | None]]:
    """Each with what was last said of its first question."""
    turns = [gap.questions[0].turn_id for gap in shown]
    with database.reading() as session:
        marked = fixes.of_turns(session, turns)
    return [(gap, marked.get(turn)) for gap, turn in zip(shown, turns, strict=True)]
