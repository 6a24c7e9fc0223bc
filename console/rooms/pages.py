"""Pages and owners: what answers rest on, what people said of it; a page as search sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlmodel import col, select
from starlette.responses import Response

from console.guard import Visit
from console.reports import cited
from console.reports.cited import PageUse
from core.models import Evidence, Page
from core.pages import PageKey
from core.reports.period import CHOICES, period
from core.storage import clock
from core.storage.index_tables import EvidenceRow

OLD_S = 730 * 86_400.0  # since the last change: what a page says may be over by then
MOST = 60  # pages on the page
MOST_PIECES = 200  # of one page


@dataclass
class OwnerUse:
    """What is counted of the pages of one owner, or of one space."""

    name: str
    pages: int = 0
    answers: int = 0
    up: int = 0
    down: int = 0
    reported: int = 0


def show(visit: Visit) -> Response:
    chosen = period(visit.asked("days") or "30")
    uses = cited.page_uses(visit.parts.database, chosen)
    shown = uses.pages[:MOST]
    pages = visit.parts.readable((use.page for use in shown), visit.reader)
    named = [(use, pages[use.page]) for use in shown if use.page in pages]
    return visit.show(
        "pages",
        uses=named,
        owners=_together(named, {key: page.owner for key, page in pages.items()}),
        spaces=_together(named, {key: page.space for key, page in pages.items()}),
        too_few=uses.too_few,
        closed=len(shown) - len(named),
        old={key for key, page in pages.items() if _is_old(page)},
        period=chosen,
        choices=CHOICES,
    )


def one(visit: Visit) -> Response:
    """A page as the search sees it: its pieces."""
    key = PageKey(visit.request.path_params["source"], visit.request.path_params["page"])
    found = visit.parts.readable([key], visit.reader)
    if key not in found:
        return visit.not_there()
    rows = (
        select(EvidenceRow)
        .where(
            EvidenceRow.source == key.source,
            EvidenceRow.page_id == key.id,
            col(EvidenceRow.acl_id).in_(("", *visit.reader.acls)),
        )
        .limit(MOST_PIECES)
    )
    with visit.parts.database.reading() as session:
        pieces = [Evidence.model_validate(row.record) for row in session.exec(rows)]
    pieces.sort(key=lambda piece: piece.position)
    named = [PageKey(key.source, each) for piece in pieces for each in piece.names]
    may_be_named = visit.parts.may_read(named, visit.reader)
    shown = [
        piece
        for piece in pieces
        if all(PageKey(key.source, each) in may_be_named for each in piece.names)
    ]
    kinds = Counter(piece.kind.value for piece in shown)
    return visit.show(
        "page",
        page=found[key],
        pieces=shown,
        kinds=kinds,
        withheld=len(pieces) - len(shown),
    )


def _is_old(page: Page) -> bool:
    """Whether nobody has changed it for long, as its site says."""
    day = datetime.fromtimestamp(clock.now() - OLD_S, UTC).date().isoformat()
    return bool(page.updated_at) and page.updated_at[:10] < day


def _together(
    uses: list[tuple[PageUse, Page]],
    names: Mapping[PageKey, str],
) -> list[OwnerUse]:
    """Those of one name together, the worst first."""
    found: dict[str, OwnerUse] = {}
    for use, _ in uses:
        name = names[use.page]
        sums = found.setdefault(name, OwnerUse(name))
        sums.pages += 1
        sums.answers += use.answers
        sums.up += use.up
        sums.down += use.down
        sums.reported += use.reported
    return sorted(found.values(), key=lambda each: (each.down + each.reported, each.answers))[::-1]
