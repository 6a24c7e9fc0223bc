"""Status of each space: what is indexed, how fresh it is, and what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import and_, func
from sqlmodel import Session, col, select

from core.pages import CONFLUENCE, SpaceKey
from core.policy.acl import DENIED_ID, OPEN_ID
from core.storage.access_tables import ConfirmationRow
from core.storage.database import Database
from core.storage.index_tables import AttachmentRow, EvidenceRow, PageRow, SyncRow
from indexer.attachments.outcomes import State, page_of_file, shown_name
from indexer.state.counts import unread_in
from indexer.state.page_state import Failure, failures
from indexer.state.runs import iso

Here = tuple[bool, bool]  # what is true of the pages of a space, as SQL


@dataclass(frozen=True)
class SpaceStatus:
    """One space; times are ISO 8601 in UTC, empty for never.

    With an empty key: why the spaces of a source could not even be listed.
    """

    source: str
    space: str
    pages: int  # with evidence
    restricted: int  # of them: for some people only
    withheld: int  # of them: shown to nobody, because it is unknown who may read them
    hidden: int  # known, without evidence: restricted in the public mode, gone, or never read
    evidence: int
    last_complete: str
    last_error: str
    last_counts: dict[str, int]  # what the last sync did, by indexer.state.counts
    unread: dict[str, int] | None  # by kind: no pages, and not read; None: nobody knows
    asked: str  # when Confluence was last asked who may read a page of it, for an answer
    scanned_since: str  # labels and restrictions of every page are at most as old as this
    failures: list[dict[str, object]]
    attachments: dict[str, int]  # how many, by indexer.attachments.outcomes.State
    unread_files: list[dict[str, object]]  # attachments without a text, and why

    @property
    def shown(self) -> str:
        """Its key, behind its source where that is not Confluence; of no space, all of them."""
        if not self.space:
            return f"{self.source}: all spaces"
        return self.space if self.source == CONFLUENCE else f"{self.source}: {self.space}"


def status_of_spaces(database: Database) -> list[SpaceStatus]:
    """All spaces that were ever synced, by source and key."""
    by_space: dict[SpaceKey, list[Failure]] = {}
    for each in failures(database):
        by_space.setdefault(SpaceKey(each.page.source, each.page.space), []).append(each)
    with database.reading() as session:
        synced = session.exec(select(SyncRow.source, SyncRow.space).distinct()).all()
        spaces = sorted(SpaceKey(*found) for found in synced)
        return [_status(session, space, by_space.get(space, [])) for space in spaces]


def _status(
    session: Session,
    space: SpaceKey,
    failed: Sequence[Failure],
) -> SpaceStatus:
    here = (PageRow.source == space.source, PageRow.space == space.key)
    runs = select(SyncRow).where(SyncRow.source == space.source, SyncRow.space == space.key)
    newest_first = runs.order_by(col(SyncRow.started_at).desc())
    last = session.exec(newest_first.limit(1)).first()
    newest_complete = newest_first.where(col(SyncRow.complete)).limit(1)
    complete = session.exec(newest_complete).first()
    by_acl = _pages_by_acl(session, here)
    for_all, withheld = by_acl.get(OPEN_ID, 0), by_acl.get(DENIED_ID, 0)
    pages = sum(by_acl.values())
    return SpaceStatus(
        source=space.source,
        space=space.key,
        pages=pages,
        restricted=pages - for_all - withheld,
        withheld=withheld,
        hidden=_count_hidden(session, here),
        evidence=_count_evidence(session, here),
        last_complete=iso(complete.finished_at) if complete else "",
        last_error=last.error if last else "",
        last_counts=last.counts if last else {},
        unread=unread_in(complete.counts) if complete else None,
        asked=iso(_last_asked(session, here)),
        scanned_since=iso(_oldest_scan(session, here)),
        failures=[_failure(each) for each in failed],
        attachments=_count_attachments(session, here),
        unread_files=_unread_files(session, here),
    )


def _count_evidence(session: Session, here: Here) -> int:
    counted = select(func.count()).select_from(EvidenceRow).join(PageRow)
    return session.exec(counted.where(*here)).one()


def _count_hidden(session: Session, here: Here) -> int:
    counted = select(func.count()).select_from(PageRow)
    of_space = counted.where(*here)
    hidden = of_space.where(~col(PageRow.visible), PageRow.title != "")
    return session.exec(hidden).one()


def _oldest_scan(session: Session, here: Here) -> float | None:
    oldest = select(func.min(PageRow.scanned_at))
    of_space = oldest.where(*here, col(PageRow.visible))
    return session.exec(of_space).one()


def _last_asked(session: Session, here: Here) -> float | None:
    of_page = and_(
        col(ConfirmationRow.source) == col(PageRow.source),
        col(ConfirmationRow.page_id) == col(PageRow.id),
    )
    last = select(func.max(ConfirmationRow.at)).join(PageRow, of_page)
    return session.exec(last.where(*here)).one()


def _pages_by_acl(session: Session, here: Here) -> dict[str, int]:
    counted = select(PageRow.acl_id, func.count())
    of_space = counted.where(*here, col(PageRow.visible))
    return dict(session.exec(of_space.group_by(PageRow.acl_id)).all())


def _count_attachments(session: Session, here: Here) -> dict[str, int]:
    counted = select(AttachmentRow.state, func.count()).join(PageRow, page_of_file())
    return dict(session.exec(counted.where(*here).group_by(AttachmentRow.state)).all())


def _unread_files(session: Session, here: Here) -> list[dict[str, object]]:
    wrong = col(AttachmentRow.state).in_((State.REFUSED, State.FAILED))
    chosen = select(AttachmentRow, PageRow.title).join(PageRow, page_of_file())
    found = session.exec(chosen.where(*here, wrong).order_by(PageRow.title, AttachmentRow.name))
    return [_unread_file(row, title) for row, title in found]


def _unread_file(row: AttachmentRow, title: str) -> dict[str, object]:
    return {
        "page": row.page_id,
        "title": title,
        "file": shown_name(row.name),
        "state": row.state,
        "reason": row.reason,
        "next_try": iso(row.next_try) if row.state == State.FAILED else "",
    }


def _failure(each: Failure) -> dict[str, object]:
    return {
        "page": each.page.id,
        "title": each.page.title,
        "error": each.error,
        "failures": each.failures,
        "next_try": iso(each.next_try),
    }
