"""The engine in force: SQL says which one finds evidence, so all programs switch at one commit.

Whatever a process asks of the whole index, it asks here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.evidence.filters import passing
from core.evidence.host import HostReadable
from core.evidence.lexical.catching_up import catch_up
from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.snapshot import Snapshot
from core.evidence.postgres.one_connection import OneConnection
from core.evidence.postgres.readable import PostgresReadable
from core.evidence.postgres.vocabulary import LatestVocabulary, PostgresVocabulary
from core.evidence.postings.written import ENGINE
from core.evidence.readable import Readable, WrittenVocabulary
from core.policy.acl import Reader
from core.question import Condition
from core.storage.database import Database
from core.storage.index_tables import IndexRow

READERS = 8  # a megabyte each of a million pieces


class AllWords(Protocol):
    """What is known of the words of all pages, whoever reads them."""

    @property
    def snapshot(self) -> WrittenVocabulary: ...

    def size(self) -> int:
        """How many pieces there are."""

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""


class EngineInForce:
    """The index of one installation, whichever engine has it; also core.evidence.AllWords."""

    def __init__(self, database: Database, lexical: LexicalIndex) -> None:
        self.lexical = lexical
        self._database = database
        self.asking = OneConnection(database)
        self._latest = LatestVocabulary(self.asking)
        self._known: IndexRow | None = None  # what was heard last
        self._readers: tuple[Snapshot, dict[frozenset[str], Readable]] = (Snapshot(), {})

    def caught_up(self) -> IndexRow | None:
        """What SQL says of the index, which can be searched now; None before the first sync."""
        state = catch_up(self._database, self.lexical)
        self._known = state
        return state

    def has_changed(self, since: IndexRow) -> bool:
        """Whether another engine has taken over."""
        if since.engine != ENGINE:
            return False  # what this process holds it goes on to hold
        now = self.caught_up()
        return now is not None and now.engine != since.engine

    def readable(
        self, state: IndexRow | None, reader: Reader, conditions: Sequence[Condition] = ()
    ) -> Readable:
        """What the reader may be shown of the index as it is, on pages that pass the conditions."""
        if state is not None and state.engine == ENGINE:
            words = self._latest.at(state)
            return PostgresReadable(self.asking, reader, tuple(conditions), words)
        snapshot = self.lexical.snapshot
        if not conditions and reader.spaces is None:
            return self._of_reader(snapshot, reader.acls)
        with self._database.reading() as session:
            pages = passing(session, conditions, reader)
        mask = snapshot.readable(reader.acls, pages)
        return HostReadable(snapshot, mask, self._database)

    def _of_reader(self, snapshot: Snapshot, acls: frozenset[str]) -> Readable:
        """Kept for those who have asked last: most people may read the same."""
        of, known = self._readers
        if of is not snapshot or len(known) > READERS:
            known = {}
            self._readers = (snapshot, known)
        if acls not in known:
            known[acls] = HostReadable(snapshot, snapshot.readable(acls), self._database)
        return known[acls]

    @property
    def snapshot(self) -> WrittenVocabulary:
        return self._in_postgres or self.lexical.snapshot

    def size(self) -> int:
        """How many pieces there are."""
        there = self._in_postgres
        return there.size if there else self.lexical.size()

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        return self.snapshot.frequency(term)

    def is_boilerplate(self, sentence: str) -> bool:
        """Whether it stands at the beginning or the end of many pages."""
        return (self._in_postgres or self.lexical.snapshot).is_boilerplate(sentence)

    @property
    def _in_postgres(self) -> PostgresVocabulary | None:
        """The words there, where that engine was in force when the index was asked last."""
        state = self._known
        if state is None or state.engine != ENGINE:
            return None
        return self._latest.at(state)
