"""From scored candidates to hits: loaded from SQL for this reader, deduplicated, few of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sqlmodel import col, select

from core.evidence.filters import readable_evidence
from core.evidence.ranking.deduplicate import Distinct
from core.evidence.ranking.signals import CandidateScores
from core.models import Evidence, Hit, Page
from core.pages import PageKey
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow


def best_hits(
    database: Database,
    scored: Sequence[CandidateScores],
    k: int,
    reader: Reader,
    *,
    per_page: int,
) -> tuple[Hit, ...]:
    """The k best candidates that SQL still has for this reader, at most `per_page` of a page."""
    by_id = {each.piece: each for each in scored}
    distinct = Distinct()
    of_page = Counter[PageKey]()
    for evidence, page in _load(database, list(by_id), 4 * k, reader):
        hit = _hit(evidence, page, by_id[evidence.id])
        named = by_id[evidence.id].named
        if of_page[page.key] < per_page and distinct.add(hit, named):
            of_page[page.key] += 1
        if len(distinct.hits) == k:
            break
    return tuple(distinct.hits)


def _load(
    database: Database,
    ids: Sequence[str],
    batch: int,
    reader: Reader,
) -> Iterator[tuple[Evidence, Page]]:
    """Evidence and its page in the given order, without what is gone or not for this reader.

    All as of one moment.
    """
    pieces = select(EvidenceRow, PageRow).join(PageRow)
    readable = pieces.where(*readable_evidence(reader))
    with database.reading() as session:
        for start in range(0, len(ids), batch):
            wanted = ids[start : start + batch]
            in_batch = col(EvidenceRow.id).in_(wanted)
            found = session.exec(readable.where(in_batch)).all()
            by_id = {row.id: (row.record, page.record) for row, page in found}
            for each in wanted:
                if each in by_id:
                    evidence, page = by_id[each]
                    found_on = Page.model_validate(page).without_breadcrumbs
                    yield Evidence.model_validate(evidence), found_on


def _hit(
    evidence: Evidence,
    page: Page,
    scores: CandidateScores,
) -> Hit:
    return Hit(
        evidence=evidence,
        page=page,
        score=scores.fused,
        lexical=scores.lexical,
        in_page=scores.page,
        dense=scores.dense,
    )
