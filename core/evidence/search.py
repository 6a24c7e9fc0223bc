"""What the worker does with evidence: find the best pieces that a reader may see, by words and by meaning.

Who may read what is applied before anything is cut to size, so a reader who may see one page in a hundred still gets k pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from core import logs
from core.access import EVERYBODY, OPEN_ID, Reader
from core.database import Database
from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.evidence.analyze import content_words
from core.evidence.fuse import fuse
from core.evidence.lexical import Entry, LexicalIndex
from core.evidence.live import Dense
from core.evidence.nearest import Share, cosines, nearest
from core.models import Evidence, Hit, Page
from core.tables import EvidenceRow, IndexRow, PageRow

CANDIDATES = 200  # of each kind of search; the scores of all of them are computed both ways
PER_PAGE = 3  # pieces of one page among the hits, so that one long page does not crowd out the others

log = logs.get(__name__)


@dataclass(frozen=True)
class Found:
    """What a search found, best first."""

    hits: tuple[Hit, ...]
    words_only: bool = False  # Chroma did not answer: found by words alone
    conditions_dropped: bool = False  # no page passes what the question asks for: found without it


class EvidenceSearch:
    """Reads all evidence of one installation."""

    def __init__(self, database: Database, lexical: LexicalIndex, dense: Dense) -> None:
        self.database = database
        self.lexical = lexical
        self._dense = dense
        self._sizes: tuple[tuple[str, int], dict[str, int]] = (("", -1), {})

    def search(self, query: str, k: int, reader: Reader = EVERYBODY) -> Found:
        """The k best pieces for a question, of those that the reader may see."""
        state = self._catch_up()
        if state is None:
            return Found(())
        share = self._share(state, reader)
        terms = content_words(query)
        lexical = self.lexical.search(terms, CANDIDATES, None if share.pieces == share.total else share.acls)
        try:
            vector, dense = self._nearest(query, state, share)
        except StoreUnavailable as error:
            log.warning("search.words_only", error=str(error))
            return Found(self._hits(lexical, lexical, {}, k, reader), words_only=True)
        lexical |= self.lexical.score(terms, [found for found in dense if found not in lexical])
        dense |= cosines(self.database, self._dense.of(state), vector, [found for found in lexical if found not in dense])
        return Found(self._hits(fuse(lexical, dense), lexical, dense, k, reader))

    def best_rows(self, query: str, hit: Hit, most: int, reader: Reader = EVERYBODY) -> list[Hit]:
        """The table rows of the hit's page that match the question best, `hit` itself perhaps among them."""
        with self.database.reading() as session:
            on_page = select(EvidenceRow).where(EvidenceRow.page_id == hit.page.id, col(EvidenceRow.acl_id).in_(reader.acls))
            stored = session.exec(on_page).all()
        pieces = [Evidence.model_validate(row.record) for row in stored]
        rows = {piece.id: piece for piece in pieces if piece.cells}
        scores = self.lexical.score(content_words(query), list(rows))
        best = sorted(scores, key=lambda found: (-scores[found], rows[found].position))[:most]
        return [hit.model_copy(update={"evidence": rows[found], "lexical": scores[found]}) for found in best]

    def all_readable(self, hits: Sequence[Hit], reader: Reader) -> bool:
        """Whether the reader may see every one of these pieces now; their pages may have changed since, but not gone."""
        wanted = {hit.page.id for hit in hits}
        with self.database.reading() as session:
            pages = select(PageRow.id).where(col(PageRow.id).in_(wanted), col(PageRow.visible), col(PageRow.acl_id).in_(reader.acls))
            found = session.exec(pages).all()
        return wanted == set(found) and {hit.evidence.acl_id for hit in hits} <= reader.acls | {""}

    def for_some(self, page_ids: Iterable[str]) -> list[str]:
        """Which of these pages are not for everybody."""
        with self.database.reading() as session:
            rows = select(PageRow.id).where(col(PageRow.id).in_(list(page_ids)), PageRow.acl_id != OPEN_ID)
            return list(session.exec(rows).all())

    def _catch_up(self) -> IndexRow | None:
        """Bring the lexical index of this host to the revision of SQL; what SQL says of the index, None before the first sync."""
        with self.database.reading() as session:
            state = session.get(IndexRow, 1)
            if state is None:
                return None
            since = self.lexical.revision(state.identity)
            if state.revision == since:
                return state
            pages = session.exec(select(PageRow.id).where(PageRow.revision > since)).all()
            entries = [(page_id, _entries(session, page_id)) for page_id in pages]
        self.lexical.catch_up(entries, identity=state.identity, since=since, revision=state.revision)
        return state

    def _share(self, state: IndexRow, reader: Reader) -> Share:
        version = (state.identity, state.revision)
        if self._sizes[0] != version:
            with self.database.reading() as session:
                counted = session.exec(select(EvidenceRow.acl_id, func.count()).group_by(EvidenceRow.acl_id)).all()
            self._sizes = (version, dict(counted))
        sizes = self._sizes[1]
        seen = {acl: size for acl, size in sizes.items() if acl in reader.acls}
        return Share(frozenset(seen), sum(seen.values()), sum(sizes.values()))

    def _nearest(self, query: str, state: IndexRow, share: Share) -> tuple[Vectors, dict[str, float]]:
        """The question's vector, shape (1, dimensions), and the nearest pieces; a rebuild may switch the index under our hands."""
        if not state.collection:
            raise StoreUnavailable("no vectors have been made yet: the first sync makes them, also after an upgrade")
        live = self._dense.of(state)
        vector = live.embedder.embed([query])
        try:
            return vector, nearest(self.database, live, vector, share, CANDIDATES)
        except StoreUnavailable:
            with self.database.reading() as session:
                now = session.get_one(IndexRow, 1)
            if now.collection == state.collection:
                raise
            state.embedder, state.collection = now.embedder, now.collection
            return self._nearest(query, state, share)

    def _hits(
        self, scores: Mapping[str, float], lexical: Mapping[str, float], dense: Mapping[str, float], k: int, reader: Reader
    ) -> tuple[Hit, ...]:
        """The k best candidates that SQL still knows and lets this reader see, at most PER_PAGE of one page."""
        order = sorted(scores, key=lambda found: (-scores[found], found))
        hits: list[Hit] = []
        taken: dict[str, int] = {}
        for evidence, page in self._load(order, 4 * k, reader):
            if taken.get(page.id, 0) < PER_PAGE:
                taken[page.id] = taken.get(page.id, 0) + 1
                found = {"score": scores[evidence.id], "lexical": lexical.get(evidence.id, 0.0), "dense": dense.get(evidence.id, 0.0)}
                hits.append(Hit(evidence=evidence, page=page, **found))
            if len(hits) == k:
                break
        return tuple(hits)

    def _load(self, ids: Sequence[str], batch: int, reader: Reader) -> Iterator[tuple[Evidence, Page]]:
        """Evidence and its page, in the given order, without what is gone or not for this reader; all as of one moment."""
        with self.database.reading() as session:
            for start in range(0, len(ids), batch):
                wanted = ids[start : start + batch]
                may = (col(PageRow.visible), col(EvidenceRow.acl_id).in_(reader.acls))
                query = select(EvidenceRow, PageRow).join(PageRow).where(col(EvidenceRow.id).in_(wanted), *may)
                rows = {row.id: (row.record, page.record) for row, page in session.exec(query).all()}
                yield from ((Evidence.model_validate(rows[i][0]), Page.model_validate(rows[i][1])) for i in wanted if i in rows)


def _entries(session: Session, page_id: str) -> list[Entry]:
    page = Page.model_validate(session.get_one(PageRow, page_id).record)
    rows = session.exec(select(EvidenceRow).where(EvidenceRow.page_id == page_id)).all()
    pieces = [(row.acl_id, Evidence.model_validate(row.record)) for row in rows]
    return [Entry(piece.id, acl, page.title, " ".join(piece.heading_path), piece.text) for acl, piece in pieces]
