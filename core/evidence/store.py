"""The store's verbs: `replace` and `hide` for the indexer, `search` for the worker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from sqlmodel import Session, col, delete, select

from core import logs
from core.database import Database
from core.embeddings import Embedder, Vectors
from core.errors import StoreUnavailable
from core.evidence.analyze import content_words
from core.evidence.fuse import fuse
from core.evidence.lexical import Entry, LexicalIndex
from core.evidence.vectors import VectorStore
from core.models import Evidence, Hit, Page
from core.tables import EmbeddingRow, EvidenceRow, IndexRow, PageRow

CANDIDATES = 200  # of each kind of search; the scores of all of them are computed both ways
PER_PAGE = 3  # pieces of one page among the hits, so that one long page does not crowd out the others
SQL_BATCH = 500  # values in one IN (…)

log = logs.get(__name__)


@dataclass(frozen=True)
class Found:
    """What a search found, best first."""

    hits: tuple[Hit, ...]
    words_only: bool = False  # Chroma did not answer: found by words alone


class EvidenceStore:
    """All evidence of one installation."""

    def __init__(self, database: Database, lexical: LexicalIndex, vectors: VectorStore, embedder: Embedder) -> None:
        self.database = database
        self.lexical = lexical
        self.vectors = vectors
        self.embedder = embedder

    def replace(self, page: Page, pieces: Sequence[Evidence], *, body_hash: str, made_by: str) -> int:
        """Make these pieces the evidence of the page; how many texts had to be embedded.

        Raises:
            StoreUnavailable: Chroma or the embedder does not answer; the old evidence stays.
        """
        hashes = [_hash(_embedded_text(page, piece)) for piece in pieces]
        vectors, embedded = self._vectors(page, pieces, hashes)
        ids = [piece.id for piece in pieces]
        self.vectors.replace(page.id, ids, vectors)
        with self.database.session() as session:
            row = self._changed(session, page)
            row.record, row.body_hash, row.made_by, row.visible = page.model_dump(mode="json"), body_hash, made_by, True
            for piece, text_hash in zip(pieces, hashes, strict=True):
                session.add(EvidenceRow(id=piece.id, page_id=page.id, record=piece.model_dump(mode="json"), text_hash=text_hash))
        self.vectors.keep_only(page.id, ids)
        return embedded

    def hide(self, page: Page) -> None:
        """Take the page's evidence away; its row stays and says that it is hidden."""
        with self.database.session() as session:
            row = self._changed(session, page)
            row.record, row.body_hash, row.made_by, row.visible = page.model_dump(mode="json"), "", "", False
        try:
            self.vectors.keep_only(page.id, [])
        except StoreUnavailable as error:  # no harm: without its row in SQL a vector leads nowhere
            log.warning("vectors.left_behind", page=page.id, error=str(error))

    def visible_pages(self) -> list[str]:
        """Ids of all pages that have evidence for readers."""
        with self.database.reading() as session:
            return list(session.exec(select(PageRow.id).where(col(PageRow.visible))).all())

    def rebuild(self, page_id: str) -> None:
        """Put the page's vectors into Chroma again, from SQL.

        Raises:
            StoreUnavailable: Chroma or the embedder does not answer.
        """
        with self.database.reading() as session:
            page = Page.model_validate(session.get_one(PageRow, page_id).record)
            rows = session.exec(select(EvidenceRow).where(EvidenceRow.page_id == page_id)).all()
        pieces = [Evidence.model_validate(row.record) for row in rows]
        vectors, _ = self._vectors(page, pieces, [row.text_hash for row in rows])
        self.vectors.replace(page_id, [piece.id for piece in pieces], vectors)
        self.vectors.keep_only(page_id, [piece.id for piece in pieces])

    def search(self, query: str, k: int) -> Found:
        """The k best pieces for a question, by words and by meaning."""
        terms = content_words(query)
        self._catch_up()
        lexical = self.lexical.search(terms, CANDIDATES)
        vector = self.embedder.embed([query])
        try:
            dense = self.vectors.search(vector, CANDIDATES)
        except StoreUnavailable as error:
            log.warning("search.words_only", error=str(error))
            return Found(self._hits(lexical, lexical, {}, k), words_only=True)
        lexical |= self.lexical.score(terms, [found for found in dense if found not in lexical])
        dense |= self._cosines(vector, [found for found in lexical if found not in dense])
        return Found(self._hits(fuse(lexical, dense), lexical, dense, k))

    def best_rows(self, query: str, hit: Hit, most: int) -> list[Hit]:
        """The table rows of the hit's page that match the question best, `hit` itself perhaps among them."""
        with self.database.reading() as session:
            stored = session.exec(select(EvidenceRow).where(EvidenceRow.page_id == hit.page.id)).all()
        pieces = [Evidence.model_validate(row.record) for row in stored]
        rows = {piece.id: piece for piece in pieces if piece.cells}
        scores = self.lexical.score(content_words(query), list(rows))
        best = sorted(scores, key=lambda found: (-scores[found], rows[found].position))[:most]
        return [hit.model_copy(update={"evidence": rows[found], "lexical": scores[found]}) for found in best]

    def _vectors(self, page: Page, pieces: Sequence[Evidence], hashes: Sequence[str]) -> tuple[Vectors, int]:
        """One row per piece, shape (pieces, dimensions), and how many were not known from before."""
        known = self._known(hashes)
        texts = {h: _embedded_text(page, piece) for h, piece in zip(hashes, pieces, strict=True) if h not in known}
        new = dict(zip(texts, self.embedder.embed(list(texts.values())), strict=True)) if texts else {}
        with self.database.session() as session:
            for text_hash, vector in new.items():
                session.merge(EmbeddingRow(text_hash=text_hash, embedder=self.embedder.name, vector=vector.astype("<f4").tobytes()))
        both = known | new
        return np.array([both[h] for h in hashes], dtype=np.float32), len(new)

    def _known(self, hashes: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with self.database.reading() as session:
            for start in range(0, len(hashes), SQL_BATCH):
                wanted = col(EmbeddingRow.text_hash).in_(hashes[start : start + SQL_BATCH])
                rows = session.exec(select(EmbeddingRow).where(wanted, EmbeddingRow.embedder == self.embedder.name)).all()
                found |= {row.text_hash: np.frombuffer(row.vector, dtype="<f4") for row in rows}
        return found

    @staticmethod
    def _changed(session: Session, page: Page) -> PageRow:
        """The page's row under a new revision, without its old evidence; holds the index's row lock until the commit."""
        state = session.get(IndexRow, 1, with_for_update=True) or IndexRow()
        state.revision += 1
        row = session.get(PageRow, page.id) or PageRow(id=page.id, space=page.space, record={})
        row.revision, row.space = state.revision, page.space
        session.add_all([state, row])
        session.flush()
        session.exec(delete(EvidenceRow).where(col(EvidenceRow.page_id) == page.id))
        return row

    def _catch_up(self) -> None:
        """Bring the lexical index of this host to the revision of SQL."""
        since = self.lexical.revision()
        with self.database.reading() as session:
            state = session.get(IndexRow, 1)
            if state is None or state.revision == since:
                return
            moved_back = state.revision < since  # another database than the one this file was made from
            pages = session.exec(select(PageRow.id).where(PageRow.revision > (-1 if moved_back else since))).all()
            entries = [(page_id, _entries(session, page_id)) for page_id in pages]
        self.lexical.catch_up(entries, since=since, revision=state.revision)

    def _cosines(self, vector: Vectors, ids: Sequence[str]) -> dict[str, float]:
        """Exact similarities of pieces that the dense search did not return; `vector` has shape (1, dimensions)."""
        cosines: dict[str, float] = {}
        with self.database.reading() as session:
            for start in range(0, len(ids), SQL_BATCH):
                same = (EvidenceRow.text_hash == EmbeddingRow.text_hash, EmbeddingRow.embedder == self.embedder.name)
                query = select(EvidenceRow.id, EmbeddingRow.vector).where(*same)
                rows = session.exec(query.where(col(EvidenceRow.id).in_(ids[start : start + SQL_BATCH]))).all()
                cosines |= {found: float(np.frombuffer(raw, dtype="<f4") @ vector[0]) for found, raw in rows}
        return cosines

    def _hits(self, scores: dict[str, float], lexical: dict[str, float], dense: dict[str, float], k: int) -> tuple[Hit, ...]:
        """The k best candidates that SQL still knows, at most PER_PAGE of one page."""
        order = sorted(scores, key=lambda found: (-scores[found], found))
        hits: list[Hit] = []
        taken: dict[str, int] = {}
        for evidence, page in self._load(order, 4 * k):
            if taken.get(page.id, 0) < PER_PAGE:
                taken[page.id] = taken.get(page.id, 0) + 1
                found = {"score": scores[evidence.id], "lexical": lexical.get(evidence.id, 0.0), "dense": dense.get(evidence.id, 0.0)}
                hits.append(Hit(evidence=evidence, page=page, **found))
            if len(hits) == k:
                break
        return tuple(hits)

    def _load(self, ids: Sequence[str], batch: int) -> Iterator[tuple[Evidence, Page]]:
        """Evidence and its page, in the given order, without what is gone or hidden; all as of one moment, read in batches."""
        with self.database.reading() as session:
            for start in range(0, len(ids), batch):
                wanted = ids[start : start + batch]
                query = select(EvidenceRow, PageRow).join(PageRow).where(col(EvidenceRow.id).in_(wanted), col(PageRow.visible))
                rows = {row.id: (row.record, page.record) for row, page in session.exec(query).all()}
                yield from ((Evidence.model_validate(rows[i][0]), Page.model_validate(rows[i][1])) for i in wanted if i in rows)


def _embedded_text(page: Page, piece: Evidence) -> str:
    """Title and heading path in front: measured as the best context for ranking; before and after dilute the vector."""
    return "\n".join([" › ".join([page.title, *piece.heading_path]), piece.text])


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _entries(session: Session, page_id: str) -> list[Entry]:
    page = Page.model_validate(session.get_one(PageRow, page_id).record)
    rows = session.exec(select(EvidenceRow).where(EvidenceRow.page_id == page_id)).all()
    pieces = [Evidence.model_validate(row.record) for row in rows]
    return [Entry(piece.id, page.title, " ".join(piece.heading_path), piece.text) for piece in pieces]
