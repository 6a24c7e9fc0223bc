"""From scored candidates to hits: loaded from SQL for this reader, deduplicated, few of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Text, cast, select
from sqlmodel import col

from core.evidence.filters import readable_evidence
from core.evidence.ranking.deduplicate import Distinct
from core.evidence.ranking.signals import CandidateScores
from core.models import Evidence, Hit, Page
from core.pages import PageKey
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow

# Records as text: most of what is loaded is not among the best, and need not be understood.
_ROWS = select(
    col(EvidenceRow.id),
    col(EvidenceRow.source),
    col(EvidenceRow.page_id),
    cast(col(EvidenceRow.record), Text).label("evidence"),
    cast(col(PageRow.record), Text).label("page"),
    col(PageRow.language),
).join(PageRow)


class BestHits(NamedTuple):
    """The best candidates, and whether one of them, or of those before them, is gone from SQL."""

    hits: tuple[Hit, ...]
    are_overtaken: bool


def best_hits(
    database: Database,
    scored: Sequence[CandidateScores],
    k: int,
    reader: Reader,
    *,
    per_page: int,
) -> BestHits:
    """The k best candidates that SQL still has for this reader, at most `per_page` of a page."""
    by_id = {each.piece: each for each in scored}
    distinct = Distinct()
    of_page = Counter[PageKey]()
    are_overtaken = False
    for loaded in _load(database, list(by_id), 4 * k, reader):
        if loaded is None:
            are_overtaken = True
            continue
        hit = _scored(loaded, by_id[loaded.evidence.id])
        page, named = hit.page, by_id[hit.evidence.id].named
        if of_page[page.key] < per_page and distinct.add(hit, named):
            of_page[page.key] += 1
        if len(distinct.hits) == k:
            break
    return BestHits(tuple(distinct.hits), are_overtaken)


def _load(
    database: Database,
    ids: Sequence[str],
    batch: int,
    reader: Reader,
) -> Iterator[Hit | None]:
    """Evidence with its page in the given order, None for what is gone or not for this reader.

    Without scores, and all as of one moment.
    """
    pages: dict[PageKey, Page] = {}
    with database.reading() as session:
        for start in range(0, len(ids), batch):
            wanted = ids[start : start + batch]
            in_batch = col(EvidenceRow.id).in_(wanted)
            found = session.execute(_ROWS.where(*readable_evidence(reader), in_batch)).all()
            by_id = {row.id: row for row in found}
            for row in map(by_id.get, wanted):
                if row is None:
                    yield None
                    continue
                key = PageKey(row.source, row.page_id)
                if key not in pages:
                    pages[key] = Page.model_validate_json(row.page).without_breadcrumbs
                evidence = Evidence.model_validate_json(row.evidence)
                yield Hit(evidence=evidence, page=pages[key], language=row.language)


def _scored(hit: Hit, scores: CandidateScores) -> Hit:
    found = {
        "score": scores.fused,
        "lexical": scores.lexical,
        "in_page": scores.page,
        "dense": scores.dense,
    }
    return hit.model_copy(update=found)
