"""No statement on a question's way reads a whole table of the index: SQLite's and Postgres' plans.

Two kinds do, and are left out: those that read all pages once for each revision of the index (what
filters and entities know), and conditions on a title, a label, a person or a time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_memory import InMemoryStores
from sqlalchemy import event, insert, text
from sqlmodel import SQLModel
from wiki import key

from core.access import confirmations
from core.embeddings import Vectors
from core.evidence import Dense, EvidenceSearch, Query
from core.evidence.blocks import Blocks
from core.evidence.lexical.index import LexicalIndex
from core.manner import Mode
from core.models import Evidence, Hit, Kind, Page
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Condition, Field
from core.storage.access_tables import ConfirmationRow
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow, EvidenceRow, IndexRow, PageRow
from core.structure import TableRow, TableSlice

# More pieces than are compared one by one.
PAGES, PIECES, SPACES = 450, 10, 60
FEW = "few"  # the ACL of one page in three hundred
TABLES = ("page", "evidence", "embedding", "confirmation")

Statements = list[tuple[str, Any]]
Rows = dict[type[SQLModel], list[dict[str, Any]]]


class Constant:
    """Every text has the same vector."""

    name = "constant"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 4), 0.5, np.float32)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Thousands of pieces and fresh statistics, as after a sync."""
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("plans") / "groundwire.db"
        yield from _filled(f"sqlite:///{file}")
        return
    server = request.getfixturevalue("postgres_server")
    yield from _filled(server.create(migrated=False))


def _filled(url: str) -> Iterator[Database]:
    database = Database(url)
    with closing(database):
        database.migrate()
        _fill(database)
        database.refresh_statistics()
        yield database


def _fill(database: Database) -> None:
    rows: Rows = defaultdict(list)
    for number in range(PAGES):
        _add(rows, number)
    with database.session() as session:
        session.add(IndexRow(revision=1, embedder="constant", collection="plans"))
        for table, values in rows.items():
            session.connection().execute(insert(table), values)


def _add(rows: Rows, number: int) -> None:
    space, acl = f"S{number % SPACES}", FEW if number % 300 == 7 else OPEN_ID
    page = Page(id=str(number), space=space, title=f"Crane number {number}", url="u")
    record = page.model_dump(mode="json")
    known: dict[str, Any] = {"record": record, "acl_id": acl, "revision": 1}
    _put(rows, PageRow(id=page.id, space=space, title=page.title, **known))
    _put(rows, ConfirmationRow(audience="", page_id=page.id, allowed=True, at=1.0, until=2.0))
    for place in range(PIECES):
        piece, name = _piece(page.id, place), f"{number}-{place}"
        record = piece.model_dump(mode="json")
        _put(
            rows,
            EvidenceRow(id=name, page_id=page.id, acl_id=acl, text_hash=name, record=record),
        )
        vector = np.full(4, 0.5, "<f4").tobytes()
        _put(rows, EmbeddingRow(text_hash=name, embedder="constant", vector=vector))


def _put(rows: Rows, row: SQLModel) -> None:
    rows[type(row)].append(row.model_dump())


def _piece(page: str, place: int) -> Evidence:
    own = TableRow(number=place + 1, cells=(f"crane {page}", f"quay {place}"))
    table = TableSlice(number=1, header=("Crane", "Quay"), rows=(own,))
    said = f"The crane {page} lifts {place} tons at the quay " + "and so on " * 40
    fields = {"kind": Kind.ROW, "table": table, "position": place}
    return Evidence(id=f"{page}-{place}", page_id=page, text=said, **fields)


@pytest.fixture
def search(filled: Database, tmp_path: Path) -> EvidenceSearch:
    """With its lexical index filled already."""
    stores = InMemoryStores()
    stores("plans").create()
    ids = [f"{number}-0" for number in range(0, PAGES, 5)]
    stores("plans").replace("all", ids, Constant().embed(ids), there=())
    dense = Dense(stores, lambda _name: Constant(), wanted="constant")
    found = EvidenceSearch(filled, LexicalIndex(tmp_path), dense)
    found.search(Query("crane"), 1)
    return found


@contextmanager
def recorded(database: Database) -> Iterator[Statements]:
    """What is read meanwhile, with its parameters as the driver gets them."""
    said: Statements = []

    def note(_conn: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        if statement.startswith("SELECT"):
            said.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def plan(database: Database, statement: str, parameters: Any) -> str:
    """How it is carried out.

    Postgres rightly reads as few rows as these from one end to the other; told not to, it does so
    only where no index is of use.
    """
    is_sqlite = database.engine.dialect.name == "sqlite"
    explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
    with database.reading() as session:
        cursor = session.connection().connection.cursor()
        if not is_sqlite:
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"{explain} {statement}", parameters)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def whole_tables(read: str) -> list[str]:
    """The tables that a plan reads from one end to the other, or by an index of no use for them."""
    names = "|".join(TABLES)
    found = re.findall(rf"^SCAN ({names})\b|Seq Scan on ({names})\b", read, re.M)
    by_acl = re.findall(r"(ix_(?:evidence|page)_acl_id)", read)
    return ["".join(each) for each in found] + by_acl


def hit(search: EvidenceSearch) -> Hit:
    return search.search(Query("crane 17"), 1).hits[0]


WAYS: dict[str, Callable[[EvidenceSearch], object]] = {
    "a search": lambda search: search.search(Query("crane at the quay"), 10),
    "by words": lambda search: search.search(Query("crane at the quay", mode=Mode.WORDS), 10),
    "by meaning": lambda search: search.search(Query("crane", mode=Mode.MEANING), 10),
    "for few": lambda search: search.search(Query("crane"), 10, Reader(frozenset({FEW}))),
    "for one": lambda search: search.search(Query("crane"), 10, Reader(frozenset({FEW, OPEN_ID}))),
    "in some spaces": lambda search: search.search(
        Query("crane"), 10, Reader(frozenset({OPEN_ID}), spaces=frozenset({"S1", "S2"}))
    ),
    "a condition on a space": lambda search: search.search(
        Query("crane", conditions=(Condition(field=Field.SPACE, value="S1"),)), 10
    ),
    "titles that are named": lambda search: search.named("Where is crane number 17?"),
    "rows of a table": lambda search: search.best_rows("crane 17", hit(search), 4),
    "is it all readable": lambda search: search.all_readable([hit(search)], EVERYBODY),
    "not for everybody": lambda search: search.for_some({key("7"), key("8")}),
    "whole blocks": lambda search: Blocks(search.database).pieces({key("7"), key("8")}, EVERYBODY),
    "confirmations": lambda search: confirmations.of_pages(
        search.database, "", {key(str(number)) for number in range(20)}
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_statement_on_the_way_of_a_question_reads_a_whole_table(
    search: EvidenceSearch, way: str
) -> None:
    with recorded(search.database) as said:
        WAYS[way](search)
    assert said
    for statement, parameters in said:
        read = plan(search.database, statement, parameters)
        assert not whole_tables(read), f"{statement[:1000]}\n{read[:1000]}"


def test_a_plan_that_reads_a_whole_table_is_noticed(filled: Database) -> None:
    read = plan(filled, "SELECT id FROM evidence WHERE acl_id = 'x'", ())
    assert whole_tables(read) == ["evidence"]


def test_statistics_say_how_many_pieces_there_are(filled: Database) -> None:
    catalogue = "SELECT reltuples FROM pg_class WHERE relname = 'evidence'"
    if filled.engine.dialect.name == "sqlite":
        catalogue = "SELECT stat FROM sqlite_stat1 WHERE tbl = 'evidence' LIMIT 1"
    with filled.reading() as session:
        known = session.connection().execute(text(catalogue)).scalar_one()
    assert float(str(known).split()[0]) == pytest.approx(PAGES * PIECES, rel=0.2)
