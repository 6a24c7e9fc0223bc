"""What the worker asks of evidence: the pieces that answer a question best, of those that the reader may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sqlmodel import Session, col, select

from core import logs
from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense, Live
from core.evidence.dense.nearest import Readable, cosines, nearest, sample, vectors_of
from core.evidence.filters import passing, searched
from core.evidence.lexical.analyzer import asked, content_words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.builder import PageEntries, PieceEntry
from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.page_status import is_unsettled
from core.evidence.query.expansion import QueryExpansion
from core.evidence.query.word_neighbours import WordNeighbours
from core.evidence.ranking.deduplicate import Distinct
from core.evidence.ranking.mmr import LOOKED_AT, diverse
from core.evidence.ranking.signals import CandidateScores, Signals, Similar
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.models import Evidence, Hit, Kind, Mode, Page
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Condition
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow

PAGES_AT_ONCE = 50  # read from SQL for the lexical index
SAMPLE = 1000  # vectors that tell how similar a piece is to a question on average

log = logs.get(__name__)


@dataclass(frozen=True)
class SearchResult:
    """What a search found, best first."""

    hits: tuple[Hit, ...]
    words_only: bool = False  # Chroma did not answer: found by words alone
    conditions_dropped: bool = False  # no page passes what the question asks for: found without it


@dataclass(frozen=True)
class Query:
    """A question, the conversation it stands in (the most important first), and what it says of the pages it wants."""

    question: str
    context: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    mode: Mode = Mode.BOTH

    @property
    def text(self) -> str:
        """As it is embedded."""
        return f"{self.question} ({'; '.join(self.context)})" if self.context else self.question


class EvidenceSearch:
    """Reads all evidence of one installation."""

    def __init__(
        self,
        database: Database,
        lexical: LexicalIndex,
        dense: Dense,
        bridge: WordNeighbours | None = None,
        ranking: Ranking = PRODUCT,
    ) -> None:
        self.database = database
        self.lexical = lexical
        self.ranking = ranking
        self._dense = dense
        self._bridge = bridge
        self._samples: dict[str, tuple[int, Vectors]] = {}

    def search(self, query: Query, k: int, reader: Reader = EVERYBODY) -> SearchResult:
        """The k best pieces for a question, of those that the reader may see and that pass its conditions.

        When nothing passes, the conditions are dropped: what somebody mistook for a condition must not hide the answer.
        """
        state = self._catch_up()
        if state is None:
            return SearchResult(())
        readable = self._readable(query.conditions, reader)
        found = (
            self._found(query, k, reader, state, readable) if readable.size else SearchResult(())
        )
        if query.conditions and not found.hits:
            return replace(
                self.search(replace(query, conditions=()), k, reader), conditions_dropped=True
            )
        return found

    def named(self, question: str, reader: Reader = EVERYBODY) -> list[str]:
        """The titles, of two words or more, that a question names with all their words; of pages that the reader may see."""
        if self._catch_up() is None:
            return []
        readable = self._readable((), reader)
        snapshot = readable.snapshot
        said = {word.terms[0] for word in asked(question)}
        pages = [
            place
            for place, terms in enumerate(snapshot.title_terms)
            if len(terms) > 1 and terms <= said
        ]
        there = set(snapshot.page_of[readable.mask].tolist()) if pages else set()
        return [snapshot.titles[place] for place in pages if place in there]

    def terms(self, text: str) -> list[str]:
        """The index terms of a text; a word that no page has stands for those that surely mean the same, or else for itself."""
        return QueryExpansion(self.lexical.snapshot, self._bridge, self.ranking).terms(text)

    def best_rows(self, query: str, hit: Hit, most: int, reader: Reader = EVERYBODY) -> list[Hit]:
        """The table rows of the hit's page that match the question best, `hit` itself perhaps among them."""
        with self.database.reading() as session:
            may = (*searched(reader), col(EvidenceRow.acl_id).in_(reader.acls))
            stored = session.exec(
                select(EvidenceRow).join(PageRow).where(EvidenceRow.page_id == hit.page.id, *may)
            ).all()
        pieces = [Evidence.model_validate(row.record) for row in stored]
        snapshot = self.lexical.snapshot
        words = [Alternatives(1.0, ((term, 1.0),)) for term in dict.fromkeys(content_words(query))]
        scores = snapshot.pieces.scores(words, self.ranking.pieces)
        rows = {
            piece: float(scores[snapshot.places[piece.id]])
            for piece in pieces
            if piece.cells and piece.id in snapshot.places
        }
        best = sorted(
            (row for row in rows if rows[row] > 0), key=lambda row: (-rows[row], row.position)
        )[:most]
        return [
            hit.model_copy(update={"evidence": row, "lexical": rows[row], "copies": ()})
            for row in best
        ]

    def all_readable(self, hits: Sequence[Hit], reader: Reader) -> bool:
        """Whether the reader may see every one of these pieces now, and the pages they name; these may have changed, but not gone."""
        wanted = {
            page_id
            for hit in hits
            for copy in hit.everywhere
            for page_id in (copy.page.id, *copy.evidence.names)
        }
        with self.database.reading() as session:
            may = (*searched(reader), col(PageRow.acl_id).in_(reader.acls))
            found = session.exec(select(PageRow.id).where(col(PageRow.id).in_(wanted), *may)).all()
        acls = {copy.evidence.acl_id for hit in hits for copy in hit.everywhere}
        return wanted == set(found) and acls <= reader.acls | {""}

    def for_some(self, page_ids: Iterable[str]) -> list[str]:
        """Which of these pages are not for everybody."""
        with self.database.reading() as session:
            rows = select(PageRow.id).where(
                col(PageRow.id).in_(list(page_ids)), PageRow.acl_id != OPEN_ID
            )
            return list(session.exec(rows).all())

    def _catch_up(self) -> IndexRow | None:
        """Bring the lexical index of this process to the revision of SQL; what SQL says of the index, None before the first sync."""
        with self.database.reading() as session:
            state = session.get(IndexRow, 1)
            if state is None:
                return None
            since = self.lexical.revision(state.identity)
            if state.revision == since:
                return state
            changed = session.exec(select(PageRow.id).where(PageRow.revision > since)).all()
            self.lexical.catch_up(
                _entries(session, changed),
                identity=state.identity,
                since=since,
                revision=state.revision,
            )
        return state

    def _readable(self, conditions: Sequence[Condition], reader: Reader) -> Readable:
        snapshot = self.lexical.snapshot
        if not conditions and reader.spaces is None:
            return Readable(snapshot, snapshot.readable(reader.acls))
        with self.database.reading() as session:
            return Readable(
                snapshot, snapshot.readable(reader.acls, passing(session, conditions, reader))
            )

    def _found(
        self, query: Query, k: int, reader: Reader, state: IndexRow, readable: Readable
    ) -> SearchResult:
        if query.mode is Mode.WORDS:
            return self._by_words(query, k, reader, readable)
        ranking = self.ranking.by(query.mode)
        words = QueryExpansion(readable.snapshot, self._bridge, ranking).of(
            query.question, query.context
        )
        legs = Signals(readable, words, ranking)
        by_words = legs.by_words()
        try:
            similar = self._similar(query.text, by_words, state, readable)
        except StoreUnavailable as error:
            log.warning("search.words_only", error=str(error))
            return replace(self._by_words(query, k, reader, readable), words_only=True)
        scored = legs.fused(by_words, similar)
        if ranking.mmr:
            vectors = vectors_of(
                self.database, self._dense.of(state), [each.piece for each in scored[:LOOKED_AT]]
            )
            scored = diverse(scored, vectors, ranking.mmr)
        return SearchResult(self._hits(scored, k, reader))

    def _by_words(self, query: Query, k: int, reader: Reader, readable: Readable) -> SearchResult:
        """By words alone: because somebody wants it so, or because Chroma does not answer."""
        ranking = self.ranking.by(Mode.WORDS)
        legs = Signals(
            readable,
            QueryExpansion(readable.snapshot, self._bridge, ranking).of(
                query.question, query.context
            ),
            ranking,
        )
        return SearchResult(self._hits(legs.fused(legs.by_words(), None), k, reader))

    def _similar(
        self, text: str, by_words: Sequence[str], state: IndexRow, readable: Readable
    ) -> Similar:
        """The nearest pieces, and how near the candidates by words are; a rebuild may switch the index under our hands."""
        if not state.collection:
            raise StoreUnavailable(
                "no vectors have been made yet: the first sync makes them, also after an upgrade"
            )
        live = self._dense.of(state)
        vector = live.embedder.embed([text])
        try:
            found = nearest(self.database, live, vector, readable, self.ranking.candidates)
        except StoreUnavailable:
            with self.database.reading() as session:
                now = session.get_one(IndexRow, 1)
            if now.collection == state.collection:
                raise
            state.embedder, state.collection = now.embedder, now.collection
            return self._similar(text, by_words, state, readable)
        found |= cosines(
            self.database, live, vector, [piece for piece in by_words if piece not in found]
        )
        return Similar(found, self._sample(live, readable.snapshot.pieces.size) @ vector[0])

    def _sample(self, live: Live, pieces: int) -> Vectors:
        """Taken anew when the index has grown or shrunk by a quarter."""
        size, vectors = self._samples.get(live.collection, (0, np.zeros((0, 0), np.float32)))
        if not 0.75 * pieces <= size <= 1.25 * pieces:
            vectors = sample(self.database, live, SAMPLE)
            self._samples = {live.collection: (pieces, vectors)}
        return vectors

    def _hits(self, scored: Sequence[CandidateScores], k: int, reader: Reader) -> tuple[Hit, ...]:
        """The k best candidates that SQL still knows and lets this reader see, each text once, few of one page."""
        by_id = {each.piece: each for each in scored}
        distinct, taken = Distinct(), dict[str, int]()
        for evidence, page in self._load(list(by_id), 4 * k, reader):
            score = by_id[evidence.id]
            hit = Hit(
                evidence=evidence,
                page=page,
                score=score.fused,
                lexical=score.lexical,
                in_page=score.page,
                dense=score.dense,
            )
            if taken.get(page.id, 0) < self.ranking.per_page and distinct.add(hit):
                taken[page.id] = taken.get(page.id, 0) + 1
            if len(distinct.hits) == k:
                break
        return tuple(distinct.hits)

    def _load(
        self, ids: Sequence[str], batch: int, reader: Reader
    ) -> Iterator[tuple[Evidence, Page]]:
        """Evidence and its page, in the given order, without what is gone or not for this reader; all as of one moment."""
        with self.database.reading() as session:
            for start in range(0, len(ids), batch):
                wanted = ids[start : start + batch]
                may = (*searched(reader), col(EvidenceRow.acl_id).in_(reader.acls))
                query = (
                    select(EvidenceRow, PageRow)
                    .join(PageRow)
                    .where(col(EvidenceRow.id).in_(wanted), *may)
                )
                rows = {
                    row.id: (row.record, page.record) for row, page in session.exec(query).all()
                }
                yield from (
                    (Evidence.model_validate(rows[i][0]), Page.model_validate(rows[i][1]))
                    for i in wanted
                    if i in rows
                )


def _entries(session: Session, page_ids: Sequence[str]) -> Iterator[PageEntries]:
    """These pages as they are now, a few read at a time: the text of a whole wiki is more than a process should hold."""
    for start in range(0, len(page_ids), PAGES_AT_ONCE):
        wanted = page_ids[start : start + PAGES_AT_ONCE]
        pages = {
            row.id: row
            for row in session.exec(select(PageRow).where(col(PageRow.id).in_(wanted))).all()
        }
        pieces = defaultdict[str, list[EvidenceRow]](list)
        for row in session.exec(
            select(EvidenceRow).where(col(EvidenceRow.page_id).in_(wanted))
        ).all():
            pieces[row.page_id].append(row)
        yield from (
            _page_entries(pages[page_id], pieces[page_id]) for page_id in wanted if page_id in pages
        )


def _page_entries(row: PageRow, found: Sequence[EvidenceRow]) -> PageEntries:
    page = Page.model_validate(row.record)
    pieces = (
        [(each.acl_id, Evidence.model_validate(each.record)) for each in found]
        if row.visible
        else []
    )
    entries = [
        PieceEntry(
            piece.id, acl, " ".join(piece.heading_path), piece.text, piece.kind is not Kind.ROW
        )
        for acl, piece in pieces
    ]
    return PageEntries(row.id, row.acl_id, page.title, entries, is_unsettled(page))
