"""What a reader may be shown, as the engine in Postgres finds it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from sqlalchemy import Subquery, exists, func, select
from sqlmodel import Session

from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Live
from core.evidence.dense.nearest import EXACT
from core.evidence.dense.pgvector import PgVectors
from core.evidence.lexical.analyzer import content_words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.readable import MOST_ALIKE
from core.evidence.lexical.spelling import alike
from core.evidence.postgres import postings
from core.evidence.postgres.one_connection import OneConnection
from core.evidence.postgres.postings import KeyedScores
from core.evidence.postgres.scores import PostgresScores
from core.evidence.postgres.sections import readable_sections
from core.evidence.postgres.vocabulary import PostgresVocabulary
from core.evidence.postings.packed import PLACES, Numbers
from core.evidence.readable import WordWeights
from core.pages import PageKey
from core.policy.acl import Reader
from core.question import Condition
from core.storage.index_tables import is_one_of
from core.storage.postings.tables import PAGE_POSTINGS, PAGES, PIECE_POSTINGS, PIECES, SIGNS, Sign


@dataclass(frozen=True)
class PostgresReadable:
    """A core.evidence.readable.Readable: each question is a statement, of the moment it is asked.

    `word_scores` and the counts are of one moment together.
    """

    asking: OneConnection
    reader: Reader
    conditions: tuple[Condition, ...]
    vocabulary: PostgresVocabulary
    _known: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def sections(self) -> Subquery:
        return readable_sections(self.reader, self.conditions).subquery()

    @cached_property
    def size(self) -> int:
        with self.asking.once() as connection:
            query = select(func.coalesce(func.sum(self.sections.c.pieces), 0))
            return int(connection.execute(query).scalar_one())

    @property
    def total(self) -> int:
        return self.vocabulary.size

    def knows(self, term: str) -> bool:
        """Whether a readable piece has it."""
        if term not in self._known:
            posting = PIECE_POSTINGS.c
            readable = posting.section == self.sections.c.number
            self._known[term] = self._one(select(exists().where(posting.term == term, readable)))
        return self._known[term]

    def pages_with(self, term: str) -> int:
        """How many readable pages have it."""
        posting = PAGE_POSTINGS.c
        having = select(func.count()).where(posting.term == term, posting.page.in_(self._pages()))
        return int(self._one(having))

    def title_words_like(self, word: str) -> list[str]:
        """Words of readable titles spelled nearly like this one, in lower case."""
        perhaps = self.vocabulary.title_words.perhaps(word)
        return list(islice(filter(self._titles_have, alike(word, perhaps)), MOST_ALIKE))

    def titles_named(self, terms: Collection[str]) -> list[str]:
        """The readable titles of two terms or more of which these are all."""
        said = self._signs(Sign.TERM).where(SIGNS.c.sign.in_(terms))
        counted = said.with_only_columns(SIGNS.c.page, func.count().label("said"))
        named = counted.group_by(SIGNS.c.page).subquery()
        page = PAGES.c
        titles = select(page.title).join_from(PAGES, named, named.c.page == page.number)
        whole = titles.where(page.terms > 1, page.terms == named.c.said)
        return self._all(whole.order_by(page.number))

    def is_subject_elsewhere(self, term: str, known: Collection[PageKey]) -> bool:
        """Whether at least half of the readable pages with this term have it in their titles.

        False where one of the known pages has it.
        """
        page, posting, sign = PAGES.c, PAGE_POSTINGS.c, SIGNS.c
        of_title = (sign.kind == Sign.TERM.value, sign.sign == term, sign.page == page.number)
        is_known = is_one_of(known, page.source, page.page_id)
        query = (
            select(
                func.count(),
                func.count().filter(exists().where(*of_title)),
                func.count().filter(is_known),
            )
            .join_from(PAGE_POSTINGS, PAGES, page.number == posting.page)
            .where(posting.term == term, page.number.in_(self._pages()))
        )
        with self.asking.once() as connection:
            having, in_title, among_known = connection.execute(query).one()
        return bool(having and 2 * in_title >= having and not among_known)

    def name_terms(self, pages: Sequence[PageKey]) -> list[frozenset[str]]:
        """Of each of these pages, the terms of its title, its space and its owner."""
        page = PAGES.c
        query = select(page.source, page.page_id, page.title, page.belongs_to)
        here = query.where(is_one_of(pages, page.source, page.page_id))
        with self.asking.once() as connection:
            found = {
                PageKey(source, page_id): frozenset(content_words(f"{title} {belongs_to}"))
                for source, page_id, title, belongs_to in connection.execute(here)
            }
        return [found.get(each, frozenset()) for each in pages]

    def word_scores(self, query: Sequence[Alternatives], weights: WordWeights) -> PostgresScores:
        terms = {term for word in query for term, _ in word.terms}
        with self.asking.database.at_one_moment() as session:
            found = postings.of_pieces(session, terms, self.sections)
            totals = postings.totals_of_pieces(session)
            by_page = KeyedScores(np.zeros(0, np.int64), np.zeros(0, np.float32))
            if weights.page:
                of_pages = postings.of_pages(session, terms, self.sections)
                every = postings.totals_of_pages(session)
                by_page = postings.scored(query, of_pages, every, weights.pages)
            pages, pieces = self._counted(session)
        return PostgresScores(
            asking=self.asking,
            sections=self.sections,
            weights=weights,
            by_piece=postings.scored(query, found, totals, weights.pieces),
            by_page=KeyedScores(by_page.keys >> PLACES, by_page.scores),
            pages=pages,
            pieces=pieces,
        )

    def nearest(self, live: Live, vector: Vectors, most: int) -> dict[str, float]:
        vectors = live.vectors
        if not isinstance(vectors, PgVectors):
            raise StoreUnavailable("the index is being switched over: these vectors are elsewhere")
        readable = PIECES.c.section.in_(select(self.sections.c.number))
        pieces, few = select(PIECES.c.id).where(readable), self.size <= EXACT
        return vectors.among(pieces, vector, most, exact=few)

    def _counted(self, session: Session) -> tuple[Numbers, Numbers]:
        """The readable pages, ascending, and how many readable pieces each has."""
        sections = self.sections
        by_page = select(sections.c.page, func.sum(sections.c.pieces).label("pieces"))
        counted = by_page.group_by(sections.c.page).order_by(sections.c.page).subquery()
        query = select(func.array_agg(counted.c.page), func.array_agg(counted.c.pieces))
        pages, pieces = session.execute(query).one()
        return np.array(pages or [], np.int64), np.array(pieces or [], np.int64)

    def _titles_have(self, word: str) -> bool:
        has_it = self._signs(Sign.WORD).where(SIGNS.c.sign == word)
        return bool(self._one(select(has_it.exists())))

    def _pages(self) -> Any:
        return select(self.sections.c.page)

    def _signs(self, kind: Sign) -> Any:
        """What readable pages are recognized by."""
        of_kind = select(SIGNS.c.sign).where(SIGNS.c.kind == kind.value)
        return of_kind.where(SIGNS.c.page.in_(self._pages()))

    def _one(self, query: Any) -> Any:
        with self.asking.once() as connection:
            return connection.execute(query).scalar_one()

    def _all(self, query: Any) -> list[str]:
        with self.asking.once() as connection:
            return list(connection.execute(query).scalars())
