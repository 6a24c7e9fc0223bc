"""Rebuild of the index from SQL beside what is in use; questions keep being answered meanwhile.

All vectors are made anew, and the words in Postgres where its engine is to take over. One commit
switches all programs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from sqlalchemy import func
from sqlmodel import Session, select

from core import logs
from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense, Live, embedded_text
from core.evidence.dense.embedding_cache import embed
from core.evidence.dense.in_sql import IN_SQL
from core.evidence.dense.nearest import vectors_of
from core.evidence.lexical.entries import PAGES_AT_ONCE
from core.evidence.postings import written
from core.evidence.spans import texts_of
from core.models import Evidence, Page
from core.pages import PageKey
from core.storage.database import Database
from core.storage.index_epoch import locked_state
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow, is_on_page

SAMPLE = 20  # pieces that have to find themselves

log = logs.get(__name__)


def _silent(_done: int, _of: int) -> None:
    """For callers who do not watch."""


def rebuild(
    database: Database,
    dense: Dense,
    *,
    report: Callable[[int, int], None] = _silent,
) -> None:
    """Fill a new collection with the vectors of the wanted embedder, for the wanted engine.

    Then this is what finds evidence, and what was in use is deleted. `report` gets how many pages
    are done, and of how many. What other indexers change meanwhile is caught up with.

    Raises:
        StoreUnavailable: the vector store or the embedder does not answer; what was in use stays
            in use.
    """
    with database.session() as session:
        state = locked_state(session)
        state.generation += 1
        collection = dense.name(f"{_name_of(state)}{state.generation}")
        was_in_postgres, is_wanted = state.engine == written.ENGINE, dense.engine == written.ENGINE
        if is_wanted and not was_in_postgres:
            written.clear(session)  # what is left of an interrupted run
    new = dense.open(dense.wanted, collection)
    new.vectors.create()
    building = _Building(database, new, state.generation, with_words=is_wanted)
    seen = -1
    while (before := _switch(building, dense, seen)) is None:
        is_first, seen = seen < 0, _catch_up(building, seen, report)
        if is_first and is_wanted and not was_in_postgres:
            with building.locked() as session:
                written.put_in_order(session)
        new.vectors.create()  # what has grown large is made ready
    log.info("rebuilt", collection=collection, embedder=dense.wanted, engine=dense.engine)
    if before.startswith(_name_of(state)):  # after a restore it may be another database's
        dense.vectors(before).drop()
    if was_in_postgres and not is_wanted:
        with building.locked() as session:
            written.clear(session)  # they have the words of pages that will be deleted


@dataclass(frozen=True)
class _Building:
    """What is made beside what is in use."""

    database: Database
    new: Live
    generation: int
    with_words: bool  # those in Postgres are written too, of which there is one set

    @contextmanager
    def locked(self) -> Iterator[Session]:
        """A transaction in which nobody changes the index, nor begins to build it.

        Raises:
            StoreUnavailable: somebody else has begun since.
        """
        with self.database.session() as session:
            if locked_state(session).generation != self.generation:
                raise StoreUnavailable(
                    "another rebuild of the index has begun meanwhile: that one goes on"
                )
            yield session


def needs_rebuild(database: Database, dense: Dense) -> str:
    """Why the vectors have to be made anew; empty when they are sound.

    Raises:
        StoreUnavailable: the vector store does not answer at all.
    """
    with database.reading() as session:
        state = session.get(IndexRow, 1)
        if state is None or not state.collection:
            return ""  # nothing is indexed yet, or the first write builds it
        count = select(func.count()).select_from(EvidenceRow)
        pieces = session.exec(count).one()
    if state.embedder != dense.wanted:
        return f"EMBEDDER is {dense.wanted}, the index was made with {state.embedder}"
    if not state.collection.startswith(_name_of(state)):
        return "the vectors are of another database, or of the time before a restore"
    if state.engine != dense.engine:
        return f"EVIDENCE_ENGINE is {dense.engine}, the index is found by {state.engine}"
    if state.engine == written.ENGINE and state.words_format != written.WORDS_FORMAT:
        return "the words in Postgres are those of another version"
    if state.collection.endswith(IN_SQL) != dense.is_in_sql:
        return "the vectors are in another store than CHROMA_URL says"
    if dense.is_in_sql:
        return ""
    vectors = dense.vectors(state.collection)
    vectors.create()  # a server that came back empty has no collection; its count says so
    if (there := vectors.count()) < pieces:
        return f"the vector store holds {there} of {pieces} vectors"
    lost = _lost(database, dense.of(state))
    if lost <= SAMPLE // 10:
        return ""
    return f"{lost} of {SAMPLE} pieces do not find themselves"


def _name_of(state: IndexRow) -> str:
    """What the names of all collections of this index begin with."""
    return f"evidence-{state.identity[:12]}-"


def _lost(database: Database, live: Live) -> int:
    """How many of a few pieces are not among the nearest to their own vector."""
    with database.reading() as session:
        ids = session.exec(select(EvidenceRow.id)).all()
    sampled = random.sample(ids, min(SAMPLE, len(ids)))
    vectors = vectors_of(database, live, sampled)
    return sum(_is_lost(live, piece, vector) for piece, vector in vectors.items())


def _is_lost(
    live: Live,
    evidence_id: str,
    vector: Vectors,
) -> bool:
    near = live.vectors.search(vector[np.newaxis], 10)
    # Of more than ten equal ones any may come first.
    return evidence_id not in near and min(near.values(), default=0.0) < 0.999


def _catch_up(
    building: _Building,
    since: int,
    report: Callable[[int, int], None],
) -> int:
    """Put in what changed after this revision; the revision that it has reached."""
    with building.database.reading() as session:
        state = session.get_one(IndexRow, 1)
        changed = select(PageRow.source, PageRow.id).where(PageRow.revision > since)
        pages = [PageKey(*found) for found in session.exec(changed).all()]
    for start in range(0, len(pages) if building.with_words else 0, PAGES_AT_ONCE):
        with building.locked() as session:
            written.put(session, pages[start : start + PAGES_AT_ONCE], state.revision)
    for done, key in enumerate(pages, start=1):
        _put(building.database, building.new, key, again=since >= 0)
        report(done, len(pages))
    return state.revision


def _put(
    database: Database,
    new: Live,
    key: PageKey,
    *,
    again: bool,
) -> None:
    with database.reading() as session:
        page = Page.model_validate(session.get_one(PageRow, key).record)
        evidence = select(EvidenceRow).where(is_on_page([key]))
        rows = session.exec(evidence).all()
    pieces = [Evidence.model_validate(row.record) for row in rows]
    texts = [embedded_text(page, piece) for piece in pieces]
    vectors, embedded = embed(database, new.embedder, texts)
    if embedded:  # a new embedder has no vectors of what answers quote either
        embed(database, new.embedder, sorted(texts_of(page, pieces)))
    ids = [piece.id for piece in pieces]
    there = new.vectors.of_page(str(key)) if again else set[str]()
    new.vectors.replace(str(key), ids, vectors, there=there)
    new.vectors.delete(sorted(there.difference(ids)))


def _switch(
    building: _Building,
    dense: Dense,
    seen: int,
) -> str | None:
    """Make the new index the one in use and return the name of the collection before.

    None when something has changed that the new one has not caught up with.
    """
    with building.database.session() as session:
        state = locked_state(session)
        if state.revision != seen:
            return None
        if building.with_words and state.generation != building.generation:
            raise StoreUnavailable("another rebuild of the index has written its words meanwhile")
        before = state.collection
        state.embedder = dense.wanted
        state.collection = building.new.collection
        state.engine = dense.engine
        if dense.engine == written.ENGINE:
            state.words_format = written.WORDS_FORMAT
        return before
