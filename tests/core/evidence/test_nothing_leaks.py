"""No query and no ranking shows a piece to somebody who may not read it, or past a filter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import update
from wiki import page, put

from core.embeddings import Vectors
from core.evidence import Dense, EvidenceSearch, EvidenceStore
from core.evidence.blocks import Blocks
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.manner import Mode
from core.models import Evidence, Hit, Kind, Page
from core.policy.acl import Reader
from core.question import Completed, Condition, Field
from core.storage.database import Database
from core.storage.index_tables import IndexRow
from core.structure import TableRow, TableSlice
from evaluation.retrieval.paper import PAPER
from worker.retrieval.retriever import Retriever

WORDS = ["crane", "harbour", "pilot", "quay", "tug", "rope"]
ACLS = ["open", "few", "board"]
RANKINGS = [
    PRODUCT,
    PAPER,
    Ranking(lexical=0.0, page=0.0),
    Ranking(dense=0.0),
    Ranking(candidates=2, per_page=1),
]

_text = st.lists(st.sampled_from(WORDS), min_size=5, max_size=12).map(" ".join)
_question = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
_piece = st.tuples(
    _text, st.sampled_from([Kind.PASSAGE, Kind.LIST, Kind.ROW]), st.sampled_from(["", *ACLS])
)
_page = st.tuples(
    st.sampled_from(["ENG", "OPS", "~ines"]),
    st.sampled_from(ACLS),
    st.lists(_piece, min_size=1, max_size=4),
)


class Hashed:
    """An embedder without weights: a word is a direction."""

    name = "hashed"

    def embed(self, texts: Any) -> Vectors:
        rows = [[1 + text.lower().split().count(word) for word in WORDS] for text in texts]
        vectors = np.array(rows, np.float32).reshape(-1, len(WORDS))
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


@pytest.fixture
def stores(chroma_url: str, tmp_path: Path) -> Iterator[EvidenceStore]:
    database = Database(f"sqlite:///{tmp_path / 'leaks.db'}")
    database.migrate()
    yield EvidenceStore(
        database,
        LexicalIndex(tmp_path),
        Dense(vector_stores(chroma_url), lambda _name: Hashed(), wanted="hashed"),
    )


@contextmanager
def without_vectors(database: Database) -> Iterator[None]:
    """As after an upgrade, before they are made: what is found is found by words."""
    with database.reading() as session:
        collection = session.get_one(IndexRow, 1).collection
    with database.session() as session:
        session.exec(update(IndexRow).values(collection=""))
    yield
    with database.session() as session:
        session.exec(update(IndexRow).values(collection=collection))


def fill(store: EvidenceStore, pages: list[Any]) -> None:
    """Always the same ten pages, so that each example replaces the one before."""
    for number in range(10):
        on = page(str(number), f"Page {number}", space="ENG")
        if number >= len(pages):
            store.hide(on)
            continue
        space, acl, pieces = pages[number]
        on = on.model_copy(update={"space": space})
        made = [
            _evidence(str(number), place, *each, page_acl=acl) for place, each in enumerate(pieces)
        ]
        put(store, on, *made, acl_id=acl)


def _evidence(
    page_id: str, place: int, text: str, kind: Kind, acl: str, *, page_acl: str
) -> Evidence:
    row = TableRow(number=place + 1, cells=(text,))
    table = TableSlice(number=1, header=("what",), rows=(row,))
    return Evidence(
        id=f"{page_id}-{place}",
        page_id=page_id,
        kind=kind,
        text=text,
        table=table if kind is Kind.ROW else None,
        acl_id="" if acl in ("", page_acl) else acl,
    )


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    pages=st.lists(_page, min_size=1, max_size=6),
    asked=_question,
    context=st.sampled_from(["", "Page 0", *WORDS]),
    by_words_alone=st.booleans(),
    acls=st.sets(st.sampled_from(ACLS)),
    space=st.sampled_from(["", "ENG", "OPS"]),
    chosen=st.sets(st.sampled_from(["ENG", "OPS", "~ines"])),
    mode=st.sampled_from(Mode),
    ranking=st.sampled_from(RANKINGS),
)
def test_nothing_is_shown_that_may_not_be_read_or_was_left_out(
    stores: EvidenceStore,
    pages: list[Any],
    asked: str,
    context: str,
    by_words_alone: bool,
    acls: set[str],
    space: str,
    chosen: set[str],
    mode: Mode,
    ranking: Ranking,
) -> None:
    fill(stores, pages)
    reader = Reader(frozenset(acls)).within(chosen)
    search = EvidenceSearch(stores.database, stores.lexical, stores.dense, ranking=ranking)
    conditions = (Condition(field=Field.SPACE, value=space),) if space else ()
    completed = Completed(
        question=asked, text=asked, context=(context,) if context else (), conditions=conditions
    )
    with without_vectors(stores.database) if by_words_alone else nullcontext():
        found = Retriever(search).retrieve(completed, reader, mode=mode)
    for shown in everything(found.hits):
        assert _acl(pages, shown.evidence) in acls
        assert not chosen or shown.page.space in chosen
        assert not space or found.conditions_dropped or shown.page.space == space
    named = search.named(" ".join(page.title for page in _pages(pages)), reader)
    blocks = Blocks(stores.database).pieces({page.key for page in _pages(pages)}, reader)
    there = {page.title for page in _pages(pages) if not chosen or page.space in chosen}
    assert set(named) <= there
    assert all(
        not pieces or page.title in there for page in _pages(pages) for pieces in [blocks[page.key]]
    )
    if mode is Mode.BOTH and not by_words_alone:  # by words alone nothing may match
        may = [
            piece
            for piece in _all(pages)
            if _acl(pages, piece) in acls and _page_of(pages, piece).title in there
        ]
        assert bool(found.hits) == bool(may)


def _pages(pages: list[Any]) -> list[Page]:
    return [
        page(str(number), f"Page {number}", space=space)
        for number, (space, _, _) in enumerate(pages)
    ]


def _page_of(pages: list[Any], piece: Evidence) -> Page:
    return _pages(pages)[int(piece.page_id)]


def everything(hits: tuple[Hit, ...]) -> Iterator[Any]:
    for hit in hits:
        yield from hit.everywhere


def _all(pages: list[Any]) -> Iterator[Evidence]:
    for number, (_, acl, pieces) in enumerate(pages):
        yield from (
            _evidence(str(number), place, *each, page_acl=acl) for place, each in enumerate(pieces)
        )


def _acl(pages: list[Any], piece: Evidence) -> str:
    number, place = map(int, piece.id.split("-"))
    _, page_acl, pieces = pages[number]
    own: str = pieces[place][2] or page_acl
    return own
