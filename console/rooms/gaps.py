"""Gaps: what the wiki lacks, by what people asked, with the nearest pages and their owners."""

from __future__ import annotations

from starlette.responses import Response

from console.guard import Visit
from console.reports import gaps
from console.reports.period import CHOICES, period

MOST = 40  # gaps on the page


def show(visit: Visit) -> Response:
    chosen = period(visit.asked("days") or "30")
    found = gaps.gaps(visit.parts.database, chosen, visit.parts.embed)
    shown = found.gaps[:MOST]
    pages = visit.parts.open_pages({page for gap in shown for page in gap.pages})
    return visit.show(
        "gaps",
        gaps=shown,
        more=len(found.gaps) - len(shown),
        private=found.private,
        pages=pages,
        period=chosen,
        choices=CHOICES,
    )
