"""BM25 over pieces of evidence: one SQLite FTS5 file per host, a cache that is fed from SQL by revision.

Field weights come from FTS5's `bm25()`; its k1 = 1.2 and b = 0.75 are built in. The text is stored as our own terms
(core.evidence.analyze), so the tokenizer of FTS5 has nothing left to decide.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.evidence.analyze import words

FORMAT = 1  # raise it when the terms or the tables change: the file is then made anew
TITLE, PATH, BODY = 2.0, 1.5, 1.0  # field weights; evaluation/ measures them

_TABLES = """
CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL);
INSERT OR IGNORE INTO state VALUES (1, 0);
CREATE TABLE IF NOT EXISTS piece (rowid INTEGER PRIMARY KEY, evidence_id TEXT NOT NULL UNIQUE, page_id TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS piece_page ON piece (page_id);
CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5 (title, path, body, tokenize = "unicode61 remove_diacritics 0 tokenchars '._-/:+#@'");
"""


@dataclass(frozen=True)
class Entry:
    """What the index needs to know of one piece."""

    evidence_id: str
    title: str
    path: str
    body: str


class LexicalIndex:
    """One connection per thread to the file of this host."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"lexical-{FORMAT}.db"
        self._local = threading.local()

    def revision(self) -> int:
        """The revision of the index in SQL that this file has caught up with."""
        return int(self._connection.execute("SELECT revision FROM state").fetchone()[0])

    def catch_up(self, pages: Iterable[tuple[str, Sequence[Entry]]], *, since: int, revision: int) -> None:
        """Replace the entries of these pages and remember the revision; a page without entries disappears.

        Does nothing when another process has moved past `since` meanwhile: its pages may be newer than ours.
        """
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            if self.revision() == since:
                for page_id, entries in pages:
                    self._replace(connection, page_id, entries)
                connection.execute("UPDATE state SET revision = ?", (revision,))
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def search(self, terms: Sequence[str], limit: int) -> dict[str, float]:
        """BM25 by evidence id, the best `limit` of them; higher is better."""
        return self._scores("ORDER BY s DESC LIMIT ?", terms, limit)

    def score(self, terms: Sequence[str], evidence_ids: Sequence[str]) -> dict[str, float]:
        """BM25 of just these pieces; one that shares no word is not in the answer."""
        places = ",".join("?" * len(evidence_ids))
        return self._scores(f"AND evidence_id IN ({places})", terms, *evidence_ids)

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        row = self._connection.execute("SELECT count(*) FROM terms WHERE terms MATCH ?", (_match([term]),)).fetchone()
        return int(row[0])

    def size(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM piece").fetchone()[0])

    def _scores(self, condition: str, terms: Sequence[str], *rest: object) -> dict[str, float]:
        if not terms:
            return {}
        # S608: `condition` is ours, and holds nothing but question marks.
        sql = f"SELECT evidence_id, -bm25(terms, ?, ?, ?) AS s FROM terms JOIN piece USING (rowid) WHERE terms MATCH ? {condition}"  # noqa: S608
        return dict(self._connection.execute(sql, (TITLE, PATH, BODY, _match(terms), *rest)).fetchall())

    @staticmethod
    def _replace(connection: sqlite3.Connection, page_id: str, entries: Sequence[Entry]) -> None:
        connection.execute("DELETE FROM terms WHERE rowid IN (SELECT rowid FROM piece WHERE page_id = ?)", (page_id,))
        connection.execute("DELETE FROM piece WHERE page_id = ?", (page_id,))
        for entry in entries:
            row = connection.execute("INSERT INTO piece (evidence_id, page_id) VALUES (?, ?)", (entry.evidence_id, page_id))
            fields = (" ".join(words(text)) for text in (entry.title, entry.path, entry.body))
            connection.execute("INSERT INTO terms (rowid, title, path, body) VALUES (?, ?, ?, ?)", (row.lastrowid, *fields))

    @property
    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "connection"):
            connection = sqlite3.connect(self._path, timeout=30, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")  # a cache: a lost file is made anew
            connection.executescript(_TABLES)
            self._local.connection = connection
        found: sqlite3.Connection = self._local.connection
        return found


def _match(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
