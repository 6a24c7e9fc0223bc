"""Evidence search for the worker: the pieces that answer a question best and may be seen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlmodel import col, select

from core import logs
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense
from core.evidence.dense.nearest import DenseSearch
from core.evidence.filters import readable_evidence, searched
from core.evidence.in_force import EngineInForce
from core.evidence.lexical.analyzer import content_words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.index import LexicalIndex
from core.evidence.page_languages import PageLanguages
from core.evidence.query.asked import Query, bounded
from core.evidence.query.expansion import QueryExpansion
from core.evidence.query.subjects import has_new_subject, titles_named
from core.evidence.query.word_neighbours import WordNeighbours
from core.evidence.ranking.hits import best_hits
from core.evidence.ranking.signals import CandidateScores, Signals
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.evidence.readable import Readable, WordWeights
from core.manner import Mode
from core.models import Evidence, Hit
from core.pages import PageKey
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Condition
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow, is_on_page, is_page

TRIES = 3  # of a search: a sync writes a page some times a second

log = logs.get(__name__)


@dataclass(frozen=True)
class SearchResult:
    """What a search found, best first."""

    hits: tuple[Hit, ...]
    words_only: bool = False  # no vectors were to be had: found by words alone
    conditions_dropped: bool = False  # no page passes what the question asks for: found without it
    are_overtaken: bool = False  # a page that was found has changed meanwhile, and is missing


class EvidenceSearch:
    """Reads all evidence of one installation."""

    def __init__(
        self,
        database: Database,
        lexical: LexicalIndex,
        dense: Dense,
        neighbours: WordNeighbours | None = None,
        ranking: Ranking = PRODUCT,
    ) -> None:
        self.database = database
        self.index = EngineInForce(database, lexical)
        self.ranking = ranking
        self._dense_search = DenseSearch(database, dense, ranking.candidates)
        self._neighbours = neighbours
        self._languages = PageLanguages(database)

    @property
    def lexical(self) -> LexicalIndex:
        """The index of this process; it may not be the one in force."""
        return self.index.lexical

    def search(
        self,
        query: Query,
        k: int,
        reader: Reader = EVERYBODY,
    ) -> SearchResult:
        """The k best pieces for a question that the reader may see and that pass its conditions.

        When nothing passes, the conditions are dropped: what somebody mistook for a condition must
        not hide the answer. It is searched once more where a page changes at that moment: its
        pieces were found as they had been, and are there no more.
        """
        found = SearchResult(())
        for _ in range(TRIES):
            found = self._searched(query, k, reader)
            if not found.are_overtaken:
                break
        return found

    def _searched(self, query: Query, k: int, reader: Reader) -> SearchResult:
        state = self.index.caught_up()
        if state is None:
            return SearchResult(())
        readable = self.index.readable(state, reader, query.conditions)
        found = SearchResult(())
        with self.index.asking.often():
            if readable.size:
                found = self._found(query.bounded, k, reader, state, readable)
        if self.index.has_changed(state):  # its words may have gone while they were asked for
            return self.search(query, k, reader)
        if query.conditions and not found.hits and not found.are_overtaken:
            unconditional = replace(query, conditions=())
            found = self.search(unconditional, k, reader)
            return replace(found, conditions_dropped=True)
        return found

    def named(self, question: str, reader: Reader = EVERYBODY) -> list[str]:
        """The titles of readable pages, of two words or more, that a question names completely."""
        if (state := self.index.caught_up()) is None:
            return []
        return titles_named(self.index.readable(state, reader), bounded(question))

    def has_new_subject(
        self, question: str, known: Collection[PageKey], reader: Reader = EVERYBODY
    ) -> bool:
        """Whether a question names a subject of readable pages that these known ones lack."""
        if (state := self.index.caught_up()) is None:
            return False
        return has_new_subject(self.index.readable(state, reader), bounded(question), known)

    def terms(self, text: str) -> list[str]:
        """The index terms of a text; a word that no open page has stands for its neighbours.

        Where nothing surely means the same, it stands for itself. Whoever asks, the open pages
        decide: the terms must not tell of words that closed pages have.
        """
        expansion = QueryExpansion(self.readable(EVERYBODY), self._neighbours, self.ranking)
        return expansion.terms(bounded(text))

    def best_rows(
        self,
        query: str,
        hit: Hit,
        most: int,
        reader: Reader = EVERYBODY,
    ) -> list[Hit]:
        """The table rows of the hit's page that match best, `hit` itself perhaps among them."""
        evidence = select(EvidenceRow).join(PageRow)
        of_page = evidence.where(is_on_page([hit.page.key]))
        with self.database.reading() as session:
            allowed = of_page.where(*readable_evidence(reader))
            stored = session.exec(allowed).all()
        pieces = [Evidence.model_validate(row.record) for row in stored]
        rows: list[Hit] = []
        pieces.sort(key=lambda piece: piece.position)
        scores = self._scores_of(query, [piece.id for piece in pieces if piece.cells], reader)
        for piece in pieces:
            score = scores.get(piece.id, 0.0)
            if score > 0:
                found = {"evidence": piece, "lexical": score, "copies": ()}
                rows.append(hit.model_copy(update=found))
        rows.sort(key=lambda row: -row.lexical)
        return rows[:most]

    def readable(self, reader: Reader, conditions: Sequence[Condition] = ()) -> Readable:
        """What the reader may be shown of the index as it is, on pages that pass the conditions."""
        return self.index.readable(self.index.caught_up(), reader, conditions)

    def all_readable(self, hits: Sequence[Hit], reader: Reader) -> bool:
        """Whether the reader may see all these pieces now, and the pages they name.

        These may have changed, but not gone.
        """
        own: set[PageKey] = set()
        wanted: set[PageKey] = set()
        acls: set[str] = set()
        for hit in hits:
            wanted |= hit.pages
            for copy in hit.everywhere:
                own.add(copy.page.key)
                acls.add(copy.evidence.acl_id)
            acls.update(piece.acl_id for piece in hit.block)
        if not acls <= reader.acls | {""}:
            return False
        anywhere = replace(reader, spaces=None)  # a page names others of any space
        return self._may_read(own, reader) and self._may_read(wanted - own, anywhere)

    def for_some(self, pages: Iterable[PageKey]) -> set[PageKey]:
        """Which of these pages are not for everybody."""
        is_for_some = col(PageRow.acl_id) != OPEN_ID
        query = select(PageRow.source, PageRow.id).where(is_page(pages), is_for_some)
        with self.database.reading() as session:
            return {PageKey(*found) for found in session.exec(query).all()}

    def _scores_of(self, query: str, pieces: Sequence[str], reader: Reader) -> dict[str, float]:
        """BM25F of these pieces for the words of a text as they are."""
        terms = dict.fromkeys(content_words(bounded(query)))
        words = [Alternatives(1.0, ((term, 1.0),)) for term in terms]
        weights = WordWeights(self.ranking.pieces, self.ranking.pages, 1.0, 0.0)
        found = self.readable(reader).word_scores(words, weights).of(pieces)
        return dict(zip(found.pieces, found.lexical.tolist(), strict=True))

    def _may_read(self, pages: set[PageKey], reader: Reader) -> bool:
        """Whether there are all of these pages, for this reader."""
        if not pages:
            return True
        may_read = col(PageRow.acl_id).in_(reader.acls)
        keys = select(PageRow.source, PageRow.id)
        readable = keys.where(is_page(pages), *searched(reader), may_read)
        with self.database.reading() as session:
            return len(session.exec(readable).all()) == len(pages)

    def _found(
        self,
        query: Query,
        k: int,
        reader: Reader,
        state: IndexRow,
        readable: Readable,
    ) -> SearchResult:
        if query.mode is Mode.WORDS:
            return self._by_words(query, k, reader, readable)
        signals = self._signals(query, query.mode, readable)
        by_words = signals.by_words()
        try:
            similar = self._dense_search.similar(query.text, by_words, state, readable)
        except StoreUnavailable as error:
            log.warning("search.words_only", error=str(error))
            found = self._by_words(query, k, reader, readable)
            return replace(found, words_only=True)
        scored = signals.fused(by_words, similar)
        return self._hits(scored, k, reader)

    def _by_words(self, query: Query, k: int, reader: Reader, readable: Readable) -> SearchResult:
        """By words alone: because somebody wants it so, or because there are no vectors."""
        signals = self._signals(query, Mode.WORDS, readable)
        scored = signals.fused(signals.by_words(), None)
        return self._hits(scored, k, reader)

    def _signals(self, query: Query, mode: Mode, readable: Readable) -> Signals:
        ranking = self.ranking.by(mode)
        expansion = QueryExpansion(readable, self._neighbours, ranking)
        words = expansion.of(query.question, query.context)
        asked = frozenset(content_words(query.question))
        foreign = partial(self._languages.foreign, (query.question, *query.context))
        return Signals(readable, words, ranking, asked, foreign)

    def _hits(
        self,
        scored: Sequence[CandidateScores],
        k: int,
        reader: Reader,
    ) -> SearchResult:
        best = best_hits(self.database, scored, k, reader, per_page=self.ranking.per_page)
        return SearchResult(best.hits, are_overtaken=best.are_overtaken)
