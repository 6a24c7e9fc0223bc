"""Scores by words of one question, as the engine in Postgres has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Integer,
    Subquery,
    and_,
    case,
    exists,
    false,
    func,
    or_,
    select,
)

from core.evidence.lexical.segments.postings import Floats
from core.evidence.postgres.one_connection import OneConnection
from core.evidence.postgres.postings import KeyedScores
from core.evidence.postgres.sections import is_any, many
from core.evidence.postings.packed import PLACES, Numbers
from core.evidence.readable import PieceScores, ScoreSpread, WordWeights
from core.pages import PageKey
from core.storage.postings.tables import PAGES, PIECES


@dataclass(frozen=True)
class PostgresScores:
    """A core.evidence.readable.WordScores.

    What changes after the scores were made only drops out: a page that changes gets a new number.
    """

    asking: OneConnection
    sections: Subquery  # that are readable
    weights: WordWeights
    by_piece: KeyedScores  # of readable pieces with a word of the question
    by_page: KeyedScores  # of readable pages with one, by their numbers
    pages: Numbers  # of all readable ones, ascending
    pieces: Numbers  # readable ones on each of them

    @cached_property
    def lexical(self) -> ScoreSpread:
        return self._spread(self.by_piece.scores, np.ones(len(self.by_piece.keys), np.int64))

    @cached_property
    def page(self) -> ScoreSpread:
        return self._spread(self.by_page.of(self.pages), self.pieces)

    def best(self, most: int) -> list[str]:
        """The readable pieces with the highest scores above 0, weighted as the ranking says."""
        keys = self.by_piece.keys
        of_page = self.by_page.of(keys >> PLACES)
        scores = self.weights.lexical * self.by_piece.scores + self.weights.page * of_page
        keys, scores = _highest(keys, scores, most)
        least = float(scores[-1]) if len(scores) == most else 0.0
        others = self._without_words(least, most) if self.weights.page else keys[:0]
        theirs = self.weights.page * self.by_page.of(others >> PLACES)
        keys = np.concatenate([keys, others])
        keys, scores = _highest(keys, np.concatenate([scores, theirs]), most)
        return self._ids(keys[scores > 0])

    def of(self, pieces: Sequence[str]) -> PieceScores:
        """Of those of these pieces that are there still, in their order."""
        page, piece = PAGES.c, PIECES.c
        query = (
            select(piece.id, piece.page, piece.place, page.source, page.page_id, self._outdated())
            .join_from(PIECES, PAGES, page.number == piece.page)
            .where(piece.section.in_(select(self.sections.c.number)), is_any(piece.id, pieces))
        )
        with self.asking.once() as connection:
            found = {row[0]: row for row in connection.execute(query)}
        rows = [found[each] for each in pieces if each in found]
        keys = np.array([number << PLACES | place for _, number, place, *_ in rows], np.int64)
        return PieceScores(
            pieces=tuple(row[0] for row in rows),
            lexical=self.by_piece.of(keys),
            page=self.by_page.of(keys >> PLACES),
            pages=tuple(PageKey(row[3], row[4]) for row in rows),
            outdated=np.array([row[5] for row in rows], np.bool_),
        )

    def _outdated(self) -> ColumnElement[bool]:
        """Whether it is not the page to go by, or has a later edition that is readable."""
        page, later = PAGES.c, PAGES.alias("later").c
        is_later = and_(
            later.family == page.family,
            later.family != "",
            later.edition > page.edition,
            later.number.in_(select(self.sections.c.page)),
        )
        # Most pages are no editions: of these nothing is looked up.
        has_later = case((page.family == "", false()), else_=exists().where(is_later))
        return or_(page.unsettled, has_later)

    def _without_words(self, least: float, most: int) -> Numbers:
        """Keys of pieces that have no word of the question, on pages that do; the best `most`.

        None whose weighted score is below `least`.
        """
        with_words, held = np.unique(self.by_piece.keys >> PLACES, return_counts=True)
        left = self.pieces.copy()
        left[np.searchsorted(self.pages, with_words)] -= held
        scores = self.weights.page * self.by_page.of(self.pages)
        candidates = np.flatnonzero((left > 0) & (scores > 0) & (scores >= least))
        in_order = candidates[np.argsort(-scores[candidates], kind="stable")]
        enough = int(np.searchsorted(left[in_order].cumsum(), most)) + 1
        return self._on(self.pages[in_order[:enough]])

    def _on(self, pages: Numbers) -> Numbers:
        """Keys of the readable pieces of these pages that have no word of the question."""
        if not len(pages):
            return pages
        piece, readable = PIECES.c, select(self.sections.c.number)
        query = select(piece.page, piece.place)
        query = query.where(is_any(piece.page, pages.tolist()), piece.section.in_(readable))
        with self.asking.once() as connection:
            keys = [page << PLACES | place for page, place in connection.execute(query)]
        return np.setdiff1d(np.array(keys, np.int64), self.by_piece.keys)

    def _ids(self, keys: Numbers) -> list[str]:
        if not len(keys):
            return []
        wanted = [(int(key >> PLACES), int(key & (1 << PLACES) - 1)) for key in keys]
        piece = PIECES.c
        pairs = func.unnest(*(many(numbers, Integer()) for numbers in zip(*wanted, strict=True)))
        asked = pairs.table_valued("page", "place").render_derived()
        query = select(piece.page, piece.place, piece.id).join_from(
            asked, PIECES, and_(piece.page == asked.c.page, piece.place == asked.c.place)
        )
        with self.asking.once() as connection:
            ids = {(page, place): each for page, place, each in connection.execute(query)}
        return [ids[each] for each in wanted if each in ids]

    def _spread(self, scores: Floats, times: Numbers) -> ScoreSpread:
        """Over all readable pieces: each score counts so many times, the rest are 0."""
        size = int(self.pieces.sum())
        if not size:
            return ScoreSpread(0.0, 0.0)
        exact = scores.astype(np.float64)
        mean = float((exact * times).sum()) / size
        squares = float((exact**2 * times).sum()) / size
        return ScoreSpread(mean, max(squares - mean**2, 0.0) ** 0.5)


def _highest(keys: Numbers, scores: Floats, most: int) -> tuple[Numbers, Floats]:
    """The best, in their order."""
    if len(scores) > most:
        best = np.argpartition(-scores, most - 1)[:most] if most else np.zeros(0, np.int64)
        keys, scores = keys[best], scores[best]
    order = np.argsort(-scores, kind="stable")
    return keys[order], scores[order]
