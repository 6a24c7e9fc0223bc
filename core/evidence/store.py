"""Evidence store for the indexer: replace a page's pieces, hide them, change who may read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlmodel import Session, col, delete, select

from core import logs
from core.access import confirmations
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense, Live, embedded_text
from core.evidence.dense.embedding_cache import SQL_BATCH, embed, text_hash
from core.evidence.dense.rebuild import rebuild
from core.evidence.leaving import set_acl, settle
from core.evidence.lexical.index import LexicalIndex
from core.evidence.page_languages import page_language
from core.evidence.query.word_neighbours import WordNeighbours
from core.models import Evidence, Page
from core.pages import PageKey
from core.storage.database import Database
from core.storage.index_epoch import next_revision
from core.storage.index_tables import (
    EvidenceRow,
    IndexRow,
    PageRow,
    is_on_page,
)
from core.value import Value

# Of a piece of evidence: all that may say the title of another page.
_SHOWN = ("text", "heading_path", "before", "after", "table", "items", "code")

log = logs.get(__name__)


class EvidenceStore:
    """All evidence of one installation."""

    def __init__(
        self,
        database: Database,
        lexical: LexicalIndex,
        dense: Dense,
        neighbours: WordNeighbours | None = None,
    ) -> None:
        """Without `neighbours` the words of the pages are not embedded one by one."""
        self.database = database
        self.lexical = lexical
        self.dense = dense
        self._neighbours = neighbours

    def replace(
        self,
        page: Page,
        pieces: Sequence[Evidence],
        *,
        acl_id: str,
        body_hash: str,
        made_by: str,
        names: Sequence[Value] = (),
    ) -> int:
        """Make these pieces the evidence of the page, for readers who pass this ACL.

        A piece that names other pages brings its own, stricter ACL. Returns how many texts had to
        be embedded.

        Raises:
            StoreUnavailable: the vector store or the embedder does not answer, or the index
                was rebuilt meanwhile; the old evidence stays.
        """
        live = self.live()
        if self._neighbours:
            self._neighbours.prepare(_prose(page, pieces))
        texts = [embedded_text(page, piece) for piece in pieces]
        vectors, embedded = embed(self.database, live.embedder, texts)
        ids = [piece.id for piece in pieces]
        name = str(page.key)
        there = live.vectors.of_page(name)
        live.vectors.replace(name, ids, vectors, there=there)
        with self.database.session() as session:
            row, state = _emptied(session, page, live)
            row.visible = True
            row.missing_since = None
            row.body_hash = body_hash
            row.made_by = made_by
            row.language = page_language(pieces)
            row.acl_id = acl_id
            row.names = [each.model_dump(mode="json") for each in names]
            for piece, text in zip(pieces, texts, strict=True):
                session.add(_evidence_row(page.key, piece, text, acl_id))
            settle(session, [page.key], state)
        live.vectors.delete(sorted(there.difference(ids)))
        return embedded

    def hide(self, page: Page, *, missing_since: float | None = None) -> None:
        """Take the page's evidence away; its row stays and says that it is hidden."""
        with self.database.session() as session:
            row, state = _emptied(session, page, None)
            row.visible = False
            row.missing_since = missing_since
            row.body_hash = ""
            row.made_by = ""
            row.acl_id = ""
            row.names = []
            confirmations.doubt(session, [page.key])
            settle(session, [page.key], state)
        try:
            vectors = self.live().vectors
            vectors.delete(sorted(vectors.of_page(str(page.key))))
        except StoreUnavailable as error:  # no harm: without its row in SQL a vector leads nowhere
            log.warning("vectors.not_deleted", page=str(page.key), error=str(error))

    def set_acl(
        self,
        pages: Iterable[PageKey],
        *,
        before: str,
        now: str,
    ) -> set[PageKey]:
        """Change who may read these pages at once, and delete their pieces that name other pages.

        Returns the pages that lost some. Nothing is embedded and no vector is asked for:
        it knows nothing of readers.
        """
        keys = list(pages)
        changed = set[PageKey]()
        for start in range(0, len(keys), SQL_BATCH):
            with self.database.session() as session:
                changed.update(set_acl(session, keys[start : start + SQL_BATCH], before, now))
        return changed

    def withhold(self, page: PageKey, titles: Iterable[str]) -> None:
        """Delete the pieces of a page that show one of these titles of other pages."""
        unwanted = list(titles)
        with self.database.session() as session:
            evidence = select(EvidenceRow).where(is_on_page([page]))
            rows = session.exec(evidence).all()
            showing = [row.id for row in rows if _shows(row, unwanted)]
            if showing:
                state = next_revision(session)
                row = session.get_one(PageRow, page)
                row.revision = state.revision
                row.body_hash = ""  # or the same evidence would seem to be there already
                session.exec(delete(EvidenceRow).where(col(EvidenceRow.id).in_(showing)))
                settle(session, [page], state)

    def visible_pages(self) -> Mapping[PageKey, str]:
        """The id of the ACL of every page that has evidence for readers."""
        columns = select(PageRow.source, PageRow.id, PageRow.acl_id)
        with self.database.reading() as session:
            found = session.exec(columns.where(col(PageRow.visible))).all()
        return {PageKey(source, page_id): acl_id for source, page_id, acl_id in found}

    def live(self) -> Live:
        """The vectors in use; the first ones are made when there are none."""
        with self.database.reading() as session:
            state = session.get(IndexRow, 1)
        if state is None or not state.collection:
            rebuild(self.database, self.dense)
            return self.live()
        return self.dense.of(state)


def _emptied(
    session: Session,
    page: Page,
    live: Live | None,
) -> tuple[PageRow, IndexRow]:
    """The page's row under a new revision, without its old evidence, and the index's row.

    Holds the row lock of the index until the commit.
    """
    state = next_revision(session)
    if live is not None and state.collection != live.collection:
        raise StoreUnavailable(
            "the index was rebuilt meanwhile: this page is indexed by the next sync"
        )
    row = session.get(PageRow, page.key)
    if row is None:
        row = PageRow(
            source=page.source,
            id=page.id,
            space=page.space,
            record={},
        )
    row.revision = state.revision
    row.space = page.space
    row.title = page.title
    row.record = page.model_dump(mode="json")
    session.add(row)
    session.flush()
    session.exec(delete(EvidenceRow).where(is_on_page([page.key])))
    return row, state


def _evidence_row(
    page: PageKey,
    piece: Evidence,
    text: str,
    acl_id: str,
) -> EvidenceRow:
    return EvidenceRow(
        id=piece.id,
        source=page.source,
        page_id=page.id,
        acl_id=piece.acl_id or acl_id,
        record=piece.model_dump(mode="json"),
        text_hash=text_hash(text),
    )


def _prose(page: Page, pieces: Iterable[Evidence]) -> Iterator[str]:
    """The texts whose words are embedded one by one."""
    yield page.title
    for piece in pieces:
        yield " ".join([*piece.heading_path, piece.text])


def _shows(row: EvidenceRow, titles: Iterable[str]) -> bool:
    record = {name: row.record.get(name) for name in _SHOWN}
    shown = "\n".join(_strings(record)).casefold()  # an author may write a title in another case
    return any(title.casefold() in shown for title in titles)


def _strings(part: object) -> Iterator[str]:
    """Every text in a record, wherever it stands."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for name, value in part.items():
            if name != "id":
                yield from _strings(value)
    elif isinstance(part, list):
        for value in part:
            yield from _strings(value)
