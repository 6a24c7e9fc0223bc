"""Postings of a question's words as SQL has them, and BM25F of what a reader may be shown.

The formula is that of core.evidence.lexical.bm25f: document frequencies and mean lengths are those
of all pieces, whoever reads them. SQL finds and filters, the process that asks computes: of what
all hosts share, the database is what there is one of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sqlalchemy import Subquery, Table, func, literal_column, select
from sqlalchemy.sql import ColumnElement
from sqlalchemy.sql.elements import KeyedColumnElement
from sqlmodel import Session

from core.evidence.lexical.bm25f import BM25F, Alternatives
from core.evidence.lexical.segments.postings import Floats
from core.evidence.postgres.sections import is_any
from core.evidence.postings.packed import RECORD, Numbers, Records, keys, unpacked
from core.storage.postings.tables import PAGE_POSTINGS, PAGES, PIECE_POSTINGS, SECTIONS


class Totals(NamedTuple):
    """Of all pieces, or of all pages: how many there are, and how long their fields are."""

    size: int
    means: Floats  # shape (FIELDS,)


class Occurring(NamedTuple):
    """The readable pieces that hold a term, and in how many it occurs, whoever reads them."""

    frequency: int
    records: Records


@dataclass(frozen=True)
class KeyedScores:
    """BM25F of pieces, or of pages, by their ascending keys; 0 of all others."""

    keys: Numbers
    scores: Floats

    def of(self, wanted: Numbers) -> Floats:
        if not len(self.keys):
            return np.zeros(len(wanted), np.float32)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        there = self.keys[places] == wanted
        return np.where(there, self.scores[places], 0).astype(np.float32)


def scored(
    query: Sequence[Alternatives],
    found: Mapping[str, Occurring],
    totals: Totals,
    ranking: BM25F,
) -> KeyedScores:
    """As core.evidence.lexical.bm25f has it: alternatives are added up before saturation,
    and the commonest of them says how rare the word is.
    """
    by_term = {term: keys(held.records) for term, held in found.items()}
    everything = np.unique(np.concatenate([np.zeros(0, np.int64), *by_term.values()]))
    scores = np.zeros(len(everything), np.float32)
    for word in query:
        held = [(term, share) for term, share in word.terms if term in found]
        df = max((found[term].frequency for term, _ in held), default=0)
        if not df:
            continue
        idf = np.log(1 + (totals.size - df + 0.5) / (df + 0.5))
        tf = np.zeros(len(everything), np.float32)
        for term, share in held:
            places = np.searchsorted(everything, by_term[term])
            tf[places] += share * _frequencies(found[term].records, totals.means, ranking)
        scores += word.weight * idf * tf / (ranking.k1 + tf)
    return KeyedScores(everything, scores)


def _frequencies(records: Records, means: Floats, ranking: BM25F) -> Floats:
    b = np.array(ranking.b, np.float32)
    norms = 1 - b + b * records["lengths"].astype(np.float32) / means
    weighted = records["counts"] * np.array(ranking.weights, np.float32)
    frequencies: Floats = (weighted / norms).sum(axis=1)
    return frequencies


def of_pieces(session: Session, terms: Collection[str], sections: Subquery) -> dict[str, Occurring]:
    return _held(session, terms, PIECE_POSTINGS, PIECE_POSTINGS.c.section, sections.c.number)


def of_pages(session: Session, terms: Collection[str], sections: Subquery) -> dict[str, Occurring]:
    """Of pages with a readable piece."""
    pages = select(sections.c.page).distinct().subquery()
    return _held(session, terms, PAGE_POSTINGS, PAGE_POSTINGS.c.page, pages.c.page)


def _held(
    session: Session,
    terms: Collection[str],
    table: Table,
    owner: KeyedColumnElement[int],
    readable: KeyedColumnElement[int],
) -> dict[str, Occurring]:
    """In one statement: how often a term occurs at all, and where that is readable."""
    postings = table.c.postings
    together = func.string_agg(postings, literal_column("''::bytea"))
    query = (
        select(
            table.c.term,
            func.sum(func.octet_length(postings)),
            together.filter(readable.is_not(None)),
        )
        .outerjoin_from(table, readable.table, owner == readable)
        .where(is_any(table.c.term, terms))
        .group_by(table.c.term)
    )
    return {
        term: Occurring(int(size) // RECORD.itemsize, unpacked(postings))
        for term, size, postings in session.execute(query)
    }


def totals_of_pieces(session: Session) -> Totals:
    return _totals(session, SECTIONS, func.sum(SECTIONS.c.pieces))


def totals_of_pages(session: Session) -> Totals:
    return _totals(session, PAGES, func.count())


def _totals(session: Session, table: Table, size: ColumnElement[int]) -> Totals:
    lengths = (table.c.title_length, table.c.path_length, table.c.body_length)
    query = select(size, *map(func.sum, lengths)).select_from(table)
    count, *sums = session.execute(query).one()
    if not count:
        return Totals(0, np.ones(len(lengths), np.float32))
    means = np.array([int(each) for each in sums], np.float64) / int(count)
    return Totals(int(count), np.where(means > 0, means, 1).astype(np.float32))
