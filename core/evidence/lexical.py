"""BM25F over pieces of evidence: one SQLite FTS5 file per host, a cache that is fed from SQL by revision.

FTS5 finds the candidates. Its own `bm25()` has k1 = 1.2 and b = 0.75 built in, which punishes long rows and lists, so the
candidates are scored anew from the stored terms (core.evidence.bm25f). The text is stored as our own terms
(core.evidence.analyze), so the tokenizer of FTS5 has nothing left to decide.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from core.evidence.analyze import words
from core.evidence.bm25f import Fields, Statistics, bm25f

FORMAT = 5  # raise it when the terms or the tables change: the file is then made anew
POOL = 2  # times as many candidates are scored anew as are asked for

_TABLES = """
CREATE TABLE IF NOT EXISTS state (
    id INTEGER PRIMARY KEY CHECK (id = 1), identity TEXT NOT NULL, revision INTEGER NOT NULL,
    pieces INTEGER, title REAL, path REAL, body REAL
);
INSERT OR IGNORE INTO state VALUES (1, '', 0, 0, 1, 1, 1);
CREATE TABLE IF NOT EXISTS piece (
    rowid INTEGER PRIMARY KEY, evidence_id TEXT NOT NULL UNIQUE, page_id TEXT NOT NULL, acl_id TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS piece_page ON piece (page_id);
CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5 (title, path, body, tokenize = "ascii tokenchars '._-/:+#@'");
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab (terms, 'row');
"""
# Mean lengths are counted in characters of the stored terms: proportional to the number of terms, and SQLite has them at hand.
_COUNT = """
UPDATE state SET pieces = (SELECT count(*) FROM piece), title = (SELECT avg(length(title)) FROM terms),
    path = (SELECT avg(length(path)) FROM terms), body = (SELECT avg(length(body)) FROM terms)
"""
_FIELDS = "SELECT evidence_id, title, path, body FROM terms JOIN piece ON piece.rowid = terms.rowid WHERE terms MATCH ?"


@dataclass(frozen=True)
class Entry:
    """What the index needs to know of one piece."""

    evidence_id: str
    acl_id: str  # who may find it
    title: str
    path: str
    body: str

    @property
    def digest(self) -> str:
        """Of the words: a piece that only changed its readers is not analyzed again."""
        return blake2b("\0".join((self.title, self.path, self.body)).encode(), digest_size=12).hexdigest()


class LexicalIndex:
    """One connection per thread to the file of this host."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"lexical-{FORMAT}.db"
        self._local = threading.local()

    def revision(self, identity: str) -> int:
        """The revision of the index in SQL that this file has caught up with; -1 when it was made from another database."""
        known, revision = self._connection.execute("SELECT identity, revision FROM state").fetchone()
        return int(revision) if known == identity else -1

    def catch_up(self, pages: Iterable[tuple[str, Sequence[Entry]]], *, identity: str, since: int, revision: int) -> None:
        """Replace the entries of these pages and remember the revision; a page without entries disappears.

        Does nothing when another process has moved past `since` meanwhile: its pages may be newer than ours.
        """
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            if self.revision(identity) == since:
                if since < 0:
                    connection.execute("DELETE FROM terms")
                    connection.execute("DELETE FROM piece")
                for page_id, entries in pages:
                    _replace(connection, page_id, entries)
                connection.execute("UPDATE state SET identity = ?, revision = ?", (identity, revision))
                connection.execute(_COUNT)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def search(self, terms: Sequence[str], limit: int, acls: Collection[str] | None = None) -> dict[str, float]:
        """BM25F by evidence id, the best `limit` of those under these ACLs (None: of all); higher is better."""
        if not terms:
            return {}
        places = ",".join("?" * len(acls or ()))
        readable = "" if acls is None else f"AND acl_id IN ({places})"
        query = f"{_FIELDS} {readable} ORDER BY rank LIMIT ?"
        rows = self._connection.execute(query, (_match(terms), *(acls or ()), POOL * limit)).fetchall()
        scores = self._bm25f(terms, rows)
        return dict(sorted(scores.items(), key=lambda item: -item[1])[:limit])

    def score(self, terms: Sequence[str], evidence_ids: Sequence[str]) -> dict[str, float]:
        """BM25F of just these pieces; one that shares no word is not in the answer."""
        if not terms:
            return {}
        places = ",".join("?" * len(evidence_ids))
        rows = self._connection.execute(f"{_FIELDS} AND evidence_id IN ({places})", (_match(terms), *evidence_ids)).fetchall()
        return self._bm25f(terms, rows)

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        row = self._connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        return int(row[0]) if row else 0

    def size(self) -> int:
        return int(self._connection.execute("SELECT pieces FROM state").fetchone()[0])

    def _bm25f(self, terms: Sequence[str], rows: Sequence[tuple[str, str, str, str]]) -> dict[str, float]:
        pieces, *means = self._connection.execute("SELECT pieces, title, path, body FROM state").fetchone()
        frequencies = {term: self.document_frequency(term) for term in dict.fromkeys(terms)}
        statistics = Statistics(pieces=pieces, frequencies=frequencies, mean_lengths=Fields(*means))
        return {evidence_id: bm25f(Fields(*fields), statistics) for evidence_id, *fields in rows}

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


def _replace(connection: sqlite3.Connection, page_id: str, entries: Sequence[Entry]) -> None:
    there = dict(connection.execute("SELECT evidence_id, digest FROM piece WHERE page_id = ?", (page_id,)).fetchall())
    new = {entry.evidence_id: entry for entry in entries}
    for evidence_id in there:
        if evidence_id not in new or new[evidence_id].digest != there[evidence_id]:
            connection.execute("DELETE FROM terms WHERE rowid IN (SELECT rowid FROM piece WHERE evidence_id = ?)", (evidence_id,))
            connection.execute("DELETE FROM piece WHERE evidence_id = ?", (evidence_id,))
    for entry in entries:
        if there.get(entry.evidence_id) == entry.digest:
            connection.execute("UPDATE piece SET acl_id = ? WHERE evidence_id = ?", (entry.acl_id, entry.evidence_id))
        else:
            _add(connection, page_id, entry)


def _add(connection: sqlite3.Connection, page_id: str, entry: Entry) -> None:
    values = (entry.evidence_id, page_id, entry.acl_id, entry.digest)
    row = connection.execute("INSERT INTO piece (evidence_id, page_id, acl_id, digest) VALUES (?, ?, ?, ?)", values)
    fields = (" ".join(words(text)) for text in (entry.title, entry.path, entry.body))
    connection.execute("INSERT INTO terms (rowid, title, path, body) VALUES (?, ?, ?, ?)", (row.lastrowid, *fields))


def _match(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
