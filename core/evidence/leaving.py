"""What goes with evidence: its words in SQL, pieces that a change of ACL takes along, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlmodel import Session, col, delete, exists, select, update

from core.access import confirmations
from core.evidence.postings import written
from core.pages import PageKey
from core.storage.index_epoch import next_revision
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow, is_on_page, is_one_of, is_page
from core.storage.loop_tables import PairRow


def settle(session: Session, pages: Sequence[PageKey], state: IndexRow) -> None:
    """What follows when the evidence of these pages has changed; call it last.

    Question and answer pairs whose piece is gone go too: they have its words. Where the engine in
    Postgres is in force, it finds the pages by their new words from this commit on.
    """
    session.flush()
    _drop_pairs(session, pages)
    if state.engine == written.ENGINE:
        written.put(session, pages, state.revision)


def _drop_pairs(session: Session, pages: Iterable[PageKey]) -> None:
    here = is_one_of(pages, col(PairRow.source), col(PairRow.page_id))
    left = exists().where(col(EvidenceRow.id) == col(PairRow.evidence_id))
    session.exec(delete(PairRow).where(here, ~left))


def set_acl(
    session: Session,
    pages: Sequence[PageKey],
    before: str,
    now: str,
) -> list[PageKey]:
    """Change the ACL of these pages; those that lost pieces."""
    state = next_revision(session)
    of_these = is_on_page(pages)
    naming = (of_these, col(EvidenceRow.acl_id) != before)
    columns = select(EvidenceRow.source, EvidenceRow.page_id).where(*naming).distinct()
    losing = [PageKey(*found) for found in session.exec(columns).all()]
    session.exec(delete(EvidenceRow).where(*naming))
    session.exec(update(EvidenceRow).where(of_these).values(acl_id=now))
    confirmations.doubt(session, pages)
    their_rows = update(PageRow).where(is_page(pages))
    session.exec(their_rows.values(acl_id=now, revision=state.revision))
    changed = update(PageRow).where(is_page(losing))
    session.exec(changed.values(made_by="", body_hash=""))
    if state.engine == written.ENGINE:
        written.set_acl(session, pages, before, now)
    settle(session, losing, state)
    return losing
