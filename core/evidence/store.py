"""What the indexer does with evidence: replace a page's pieces, hide them, change who may read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session, col, delete, select, update

from core import logs
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense, Live, embedded_text, locked_state
from core.evidence.dense.embedding_cache import SQL_BATCH, embed, text_hash
from core.evidence.dense.rebuild import rebuild
from core.evidence.lexical.index import LexicalIndex
from core.evidence.query.word_neighbours import WordNeighbours
from core.models import Evidence, Page
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow

log = logs.get(__name__)


class EvidenceStore:
    """All evidence of one installation."""

    def __init__(
        self,
        database: Database,
        lexical: LexicalIndex,
        dense: Dense,
        bridge: WordNeighbours | None = None,
    ) -> None:
        """Without a `bridge` the words of the pages are not embedded one by one."""
        self.database = database
        self.lexical = lexical
        self.dense = dense
        self._bridge = bridge

    def replace(
        self,
        page: Page,
        pieces: Sequence[Evidence],
        *,
        acl_id: str,
        body_hash: str,
        made_by: str,
        names: Sequence[Sequence[str]] = (),
    ) -> int:
        """Make these pieces the evidence of the page, for readers who pass this ACL; how many texts had to be embedded.

        A piece that names other pages brings its own, stricter ACL.

        Raises:
            StoreUnavailable: Chroma or the embedder does not answer, or the index was rebuilt meanwhile; the old evidence stays.
        """
        live = self.live()
        if self._bridge:
            self._bridge.prepare(
                [page.title, *(" ".join([*piece.heading_path, piece.text]) for piece in pieces)]
            )
        texts = [embedded_text(page, piece) for piece in pieces]
        vectors, embedded = embed(self.database, live.embedder, texts)
        ids = [piece.id for piece in pieces]
        there = live.vectors.of_page(page.id)
        live.vectors.replace(page.id, ids, vectors, there=there)
        with self.database.session() as session:
            row = _emptied(session, page, live)
            row.record, row.title, row.visible, row.missing_since = (
                page.model_dump(mode="json"),
                page.title,
                True,
                None,
            )
            row.body_hash, row.made_by, row.acl_id, row.names = (
                body_hash,
                made_by,
                acl_id,
                [list(each) for each in names],
            )
            for piece, text in zip(pieces, texts, strict=True):
                record = piece.model_dump(mode="json")
                acl = piece.acl_id or acl_id
                session.add(
                    EvidenceRow(
                        id=piece.id,
                        page_id=page.id,
                        acl_id=acl,
                        record=record,
                        text_hash=text_hash(text),
                    )
                )
        live.vectors.delete(sorted(there.difference(ids)))
        return embedded

    def hide(self, page: Page, *, missing_since: float | None = None) -> None:
        """Take the page's evidence away; its row stays and says that it is hidden."""
        with self.database.session() as session:
            row = _emptied(session, page, None)
            row.record, row.title, row.visible, row.missing_since = (
                page.model_dump(mode="json"),
                page.title,
                False,
                missing_since,
            )
            row.body_hash, row.made_by, row.acl_id, row.names = "", "", "", []
        try:
            vectors = self.live().vectors
            vectors.delete(sorted(vectors.of_page(page.id)))
        except StoreUnavailable as error:  # no harm: without its row in SQL a vector leads nowhere
            log.warning("vectors.left_behind", page=page.id, error=str(error))

    def set_acl(self, page_ids: Iterable[str], *, before: str, now: str) -> set[str]:
        """Change who may read these pages at once; pieces that name other pages go: the ids of the pages that lost some.

        Nothing is embedded and Chroma is not asked: it knows nothing of readers.
        """
        ids, poorer = list(page_ids), set[str]()
        for start in range(0, len(ids), SQL_BATCH):
            batch = ids[start : start + SQL_BATCH]
            with self.database.session() as session:
                state = locked_state(session)
                state.revision += 1
                of_these = col(EvidenceRow.page_id).in_(batch)
                naming = (of_these, col(EvidenceRow.acl_id) != before)
                losing = session.exec(select(EvidenceRow.page_id).where(*naming).distinct()).all()
                session.exec(delete(EvidenceRow).where(*naming))
                session.exec(update(EvidenceRow).where(of_these).values(acl_id=now))
                session.exec(
                    update(PageRow)
                    .where(col(PageRow.id).in_(batch))
                    .values(acl_id=now, revision=state.revision)
                )
                session.exec(
                    update(PageRow)
                    .where(col(PageRow.id).in_(losing))
                    .values(made_by="", body_hash="")
                )
                poorer.update(losing)
        return poorer

    def withhold(self, page_id: str, titles: Iterable[str]) -> None:
        """Take away the pieces of a page that show one of these titles of other pages; the others stay."""
        unwanted = list(titles)
        with self.database.session() as session:
            rows = session.exec(select(EvidenceRow).where(EvidenceRow.page_id == page_id)).all()
            showing = [
                row.id
                for row in rows
                if any(title in shown for title in unwanted for shown in _shown(row))
            ]
            if showing:
                state = locked_state(session)
                state.revision += 1
                row = session.get_one(PageRow, page_id)
                row.revision, row.body_hash = (
                    state.revision,
                    "",
                )  # or the same evidence would seem to be there already
                session.exec(delete(EvidenceRow).where(col(EvidenceRow.id).in_(showing)))

    def visible_pages(self) -> Mapping[str, str]:
        """The id of the ACL of every page that has evidence for readers, by page id."""
        with self.database.reading() as session:
            return dict(
                session.exec(select(PageRow.id, PageRow.acl_id).where(col(PageRow.visible))).all()
            )

    def live(self) -> Live:
        """The vectors in use; the first ones are made when there are none."""
        with self.database.reading() as session:
            state = session.get(IndexRow, 1)
        if state is None or not state.collection:
            rebuild(self.database, self.dense)
            return self.live()
        return self.dense.of(state)


def _emptied(session: Session, page: Page, live: Live | None) -> PageRow:
    """The page's row under a new revision, without its old evidence; holds the index's row lock until the commit."""
    state = locked_state(session)
    if live is not None and state.collection != live.collection:
        raise StoreUnavailable(
            "the index was rebuilt meanwhile: this page is indexed by the next sync"
        )
    state.revision += 1
    row = session.get(PageRow, page.id) or PageRow(id=page.id, space=page.space, record={})
    row.revision, row.space = state.revision, page.space
    session.add(row)
    session.flush()
    session.exec(delete(EvidenceRow).where(col(EvidenceRow.page_id) == page.id))
    return row


def _shown(row: EvidenceRow) -> list[str]:
    piece = Evidence.model_validate(row.record)
    return [piece.text, piece.raw, piece.before, piece.after, *piece.heading_path]
