"""Words of all pages, as the engine in Postgres knows them, whoever reads them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import ColumnElement, func, select, true

from core.evidence.lexical.page_edges import MANY, key
from core.evidence.lexical.spelling import Spellings
from core.evidence.postgres.one_connection import OneConnection
from core.evidence.postings.packed import RECORD
from core.storage.index_tables import IndexRow
from core.storage.postings.tables import PIECE_POSTINGS, SECTIONS, SIGNS, WORDS, Sign

# Terms whose frequencies are asked for singly; whoever wants more wants those of a whole wiki.
ONE_BY_ONE = 500


@dataclass(frozen=True)
class PostgresVocabulary:
    """A core.evidence.readable.WrittenVocabulary as of a revision; what was asked once is kept."""

    asking: OneConnection
    identity: str
    revision: int
    before: frozenset[str] = frozenset()  # words of an earlier revision
    since: int = -1  # that revision
    _frequencies: dict[str, int] = field(default_factory=dict)

    @cached_property
    def plain(self) -> frozenset[str]:
        """Plain words in lower case, also of earlier revisions."""
        query = select(WORDS.c.word).where(WORDS.c.since > self.since)
        with self.asking.once() as connection:
            return self.before.union(connection.execute(query).scalars())

    def frequency(self, term: str) -> int:
        """How many pieces have this term."""
        known = self._frequencies
        if term not in known:
            if len(known) >= ONE_BY_ONE:
                return self._every_frequency.get(term, 0)
            known[term] = self._frequencies_where(PIECE_POSTINGS.c.term == term).get(term, 0)
        return known[term]

    @cached_property
    def _every_frequency(self) -> dict[str, int]:
        return self._frequencies_where(true())

    def _frequencies_where(self, condition: ColumnElement[bool]) -> dict[str, int]:
        term, size = PIECE_POSTINGS.c.term, func.octet_length(PIECE_POSTINGS.c.postings)
        query = select(term, func.sum(size)).where(condition).group_by(term)
        with self.asking.once() as connection:
            return {term: size // RECORD.itemsize for term, size in connection.execute(query)}

    @cached_property
    def size(self) -> int:
        """How many pieces there are."""
        query = select(func.coalesce(func.sum(SECTIONS.c.pieces), 0))
        with self.asking.once() as connection:
            return int(connection.execute(query).scalar_one())

    def is_boilerplate(self, sentence: str) -> bool:
        """Whether it stands at the beginning or the end of many pages."""
        return str(key(sentence)) in self._repeated

    @cached_property
    def title_words(self) -> Spellings:
        query = select(SIGNS.c.sign).where(SIGNS.c.kind == Sign.WORD.value).distinct()
        with self.asking.once() as connection:
            return Spellings(sorted(connection.execute(query).scalars()))

    @cached_property
    def _repeated(self) -> frozenset[str]:
        edges = select(SIGNS.c.sign).where(SIGNS.c.kind == Sign.EDGE.value)
        query = edges.group_by(SIGNS.c.sign).having(func.count() >= MANY)
        with self.asking.once() as connection:
            return frozenset(connection.execute(query).scalars())


class LatestVocabulary:
    """The vocabulary of the latest revision that was asked for; the next one reads what is new."""

    def __init__(self, asking: OneConnection) -> None:
        self._asking = asking
        self._latest = PostgresVocabulary(asking, "", -1)
        self._lock = threading.Lock()

    def at(self, state: IndexRow) -> PostgresVocabulary:
        with self._lock:
            known = self._latest
            if (known.identity, known.revision) != (state.identity, state.revision):
                self._latest = self._next(known, state)
            return self._latest

    def _next(self, known: PostgresVocabulary, state: IndexRow) -> PostgresVocabulary:
        made = PostgresVocabulary(self._asking, state.identity, state.revision)
        if known.identity != state.identity or "plain" not in known.__dict__:
            return made  # nobody has read its words
        return PostgresVocabulary(
            self._asking, state.identity, state.revision, known.plain, known.revision
        )
