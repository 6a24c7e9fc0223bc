"""`python -m evaluation speed-postgres`: what a search by Postgres costs, and disk.

The same word salad as `speed`. Times are of a clock, since most of the work is another program's:
other work on the same cores makes them longer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from sqlalchemy import event, text

from core.evidence import Dense, EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.dense.vector_stores import vector_stores, with_postgres
from core.evidence.lexical.index import LexicalIndex
from core.evidence.postings import written
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.settings import Settings
from core.settings.values import EvidenceEngine
from core.storage.database import Database
from evaluation.harness.output import AsJson, show_down
from evaluation.harness.progress import status, track
from evaluation.speed.salad import PER_PAGE, Scattered, ScatteredWords, pages, questions

QUESTIONS = 100
WARM = 10  # more are asked before, which fill caches and prepare statements
K = 10
FEW = "few"  # the ACL of one page in a hundred
READERS = {"everybody": EVERYBODY, "reader of 1 %": Reader(frozenset({FEW}))}
INDEX = ("section", "indexed_page", "indexed_piece", "piece_posting", "page_posting", "page_sign")

Figures = dict[str, float | None]


def speed_in_postgres(
    database: Annotated[
        str, typer.Option(help="A database in a Postgres with pgvector: empty, or filled by this.")
    ],
    pieces: Annotated[int, typer.Option(help="Size of the index.")] = 3500,
    as_json: AsJson = False,
) -> None:
    """Milliseconds and statements of a search by Postgres, for readers of all and of few; MB."""
    url = Settings(database_url=database).sql_url
    with TemporaryDirectory() as folder, closing(Database(url)) as opened:
        opened.migrate()
        store = _store(opened, Path(folder))
        if not store.visible_pages():
            _fill(store, pieces)
        search = EvidenceSearch(opened, store.lexical, store.dense, _neighbours(opened))
        columns: dict[str, Figures] = {}
        for name, reader in READERS.items():
            with status(f"asking for {name}"):
                columns[name] = _searches(search, list(questions(pieces, QUESTIONS)), reader)
        columns["MB on disk"] = dict.fromkeys(columns["everybody"]) | _sizes(opened, store)
    names = dict.fromkeys(name for column in columns.values() for name in column)
    whole = {title: {name: column.get(name) for name in names} for title, column in columns.items()}
    show_down(whole, as_json=as_json)


def _store(database: Database, folder: Path) -> EvidenceStore:
    nowhere = vector_stores("http://127.0.0.1:1")  # nothing is asked of it
    dense = Dense(
        with_postgres(nowhere, lambda: database),
        lambda _name: Scattered(),
        wanted=Scattered.name,
        engine=EvidenceEngine.POSTGRES,
    )
    return EvidenceStore(database, LexicalIndex(folder), dense, _neighbours(database))


def _neighbours(database: Database) -> WordNeighbours:
    return WordNeighbours(database, ScatteredWords)


def _fill(store: EvidenceStore, size: int) -> None:
    for page, made in track(pages(size), f"filling {size:,}", total=size // PER_PAGE):
        store.replace(page, made, acl_id=OPEN_ID, body_hash="", made_by="")
    few = [PageKey(CONFLUENCE, str(number)) for number in range(0, size // PER_PAGE, 100)]
    store.set_acl(few, before=OPEN_ID, now=FEW)
    with status("making ready, as a change-over does"):
        store.live().vectors.create()
        with store.database.session() as session:
            written.put_in_order(session)
        store.database.refresh_statistics()


def _searches(search: EvidenceSearch, asked: list[str], reader: Reader) -> Figures:
    began = time.perf_counter()
    search.search(Query(asked[0]), K, reader)
    first = time.perf_counter() - began
    for question in asked[1:WARM]:
        search.search(Query(question), K, reader)
    spans: list[float] = []
    processor = time.process_time()
    with _statements(search.database) as statements:
        for question in asked[WARM:]:
            began = time.perf_counter()
            search.search(Query(question), K, reader)
            spans.append(1000 * (time.perf_counter() - began))
    processor = 1000 * (time.process_time() - processor)
    return {
        "s, first of the process": first,
        "ms": median(spans),
        "ms, 95 %": quantiles(spans, n=20)[-1],
        "ms of this process's processor": processor / len(spans),
        "ms in statements": 1000 * sum(statements) / len(spans),
        "statements": len(statements) / len(spans),
    }


@contextmanager
def _statements(database: Database) -> Iterator[list[float]]:
    """How long each statement takes, in seconds."""
    found: list[float] = []

    def before(*arguments: Any) -> None:
        arguments[4].began = time.perf_counter()

    def after(*arguments: Any) -> None:
        found.append(time.perf_counter() - arguments[4].began)

    event.listen(database.engine, "before_cursor_execute", before)
    event.listen(database.engine, "after_cursor_execute", after)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", before)
        event.remove(database.engine, "after_cursor_execute", after)


def _sizes(database: Database, store: EvidenceStore) -> Figures:
    """Megabytes of the tables with their indexes."""
    size = text("SELECT pg_total_relation_size(CAST(:name AS regclass)) / 1e6")
    tables = {name: [name] for name in ("piece_posting", "page_posting", "plain_word")}
    tables["pages and pieces"] = [name for name in INDEX if name not in tables]
    tables["vectors"] = [f'"{store.live().collection}"']
    tables["evidence, pages, cache of vectors"] = ["evidence", "page", "embedding"]

    def megabytes(name: str) -> float:
        with database.reading() as session:
            return float(session.execute(size, {"name": name}).scalar_one())

    return {what: sum(map(megabytes, names)) for what, names in tables.items()}
