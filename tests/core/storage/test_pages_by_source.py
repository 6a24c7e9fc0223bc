"""Migration 0011: an index that was filled before pages had a source is carried over whole."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from old_tables import migrated_to
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel, select

from core.models import Evidence, Page
from core.pages import PageKey, PageKind, PageStatus
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, SpaceRow, SyncRow, is_on_page, is_page
from indexer.state import mentions
from indexer.state.mentions import ChildMention, LinkMention

HOME, LEAVE = "1", "2"
NAMES = [
    ["child", LEAVE, "", "Leave"],
    ["link", "", "OPS", "On call", ""],
    ["link", "20", "", "", "Travel"],
]


def insert(database: Database, table: str, **values: object) -> None:
    columns, named = ", ".join(f'"{name}"' for name in values), ", ".join(f":{n}" for n in values)
    given = {n: json.dumps(v) if isinstance(v, dict | list) else v for n, v in values.items()}
    with database.engine.begin() as connection:
        connection.execute(text(f'INSERT INTO "{table}" ({columns}) VALUES ({named})'), given)


def page(database: Database, page_id: str, title: str, **more: object) -> None:
    record = {"id": page_id, "kind": "page", "space": "DOC", "title": title, "url": "u"}
    values = {"names": [], "visible": True, "made_by": "2", "body_hash": "h", "acl_id": "open"}
    numbers = {"revision": 3, "failures": 0, "next_try": 0.0, "scanned_at": 7.5}
    own = {"id": page_id, "space": "DOC", "title": title, "record": record}
    insert(database, "page", **(own | values | numbers | {"extras": "", "error": ""} | more))


@pytest.fixture
def before(empty_url: str) -> Iterator[Database]:
    """A database as it was before, with an index in it."""
    database = Database(empty_url)
    migrated_to(database, "0008")
    page(database, HOME, "Home", names=NAMES, readers=["group:people"])
    page(database, LEAVE, "Leave", missing_since=5.0)
    folder = {"id": "9", "kind": "whiteboard", "space": "DOC", "title": "", "url": ""}
    page(database, "9", "", record=folder | {"status": "refused"}, visible=False)
    for number in range(1200):
        record = {"id": f"{LEAVE}:passage:{number}", "page_id": LEAVE, "kind": "passage"}
        insert(
            database,
            "evidence",
            id=record["id"],
            page_id=LEAVE,
            acl_id="open",
            text_hash=str(number),
            record=record | {"text": f"Text {number}"},
        )
    insert(database, "space", key="DOC", name="Handbook", read_at=1.0)
    insert(
        database, "sync", id="s", space="DOC", started_at=1.0, complete=True, counts={}, error=""
    )
    yield database
    database.close()


def test_pages_evidence_spaces_and_runs_keep_what_they_hold(before: Database) -> None:
    before.migrate()
    with before.reading() as session:
        home = session.get_one(PageRow, PageKey("confluence", HOME))
        pieces = session.exec(select(EvidenceRow).order_by(EvidenceRow.id)).all()
        space = session.get_one(SpaceRow, ("confluence", "DOC"))
        (run,) = session.exec(select(SyncRow)).all()
    assert (home.title, home.readers, home.scanned_at) == ("Home", ["group:people"], 7.5)
    assert Page.model_validate(home.record).key == home.key
    assert len(pieces) == 1200
    for piece in pieces:
        assert piece.page == PageKey("confluence", LEAVE)
        assert piece.id == Evidence.model_validate(piece.record).id
        assert piece.id.startswith("confluence:2:passage:")
    assert (space.name, run.source) == ("Handbook", "confluence")


def test_what_pages_mention_has_fields(before: Database) -> None:
    before.migrate()
    with before.reading() as session:
        home = session.get_one(PageRow, PageKey("confluence", HOME))
    assert mentions.stored(home.names) == (
        ChildMention(id=LEAVE, shown="Leave"),
        LinkMention(space="OPS", title="On call"),
        LinkMention(id="20", shown="Travel"),
    )


def test_kinds_and_states_of_before_are_read(before: Database) -> None:
    before.migrate()
    with before.reading() as session:
        board = Page.model_validate(session.get_one(PageRow, ("confluence", "9")).record)
    assert (board.kind, board.status) == (PageKind.OTHER, PageStatus.REFUSED)


def test_a_second_source_may_use_the_same_ids(before: Database) -> None:
    before.migrate()
    with before.session() as session:
        session.add(PageRow(source="files", id=HOME, space="DOC", record={}))
    with pytest.raises(IntegrityError), before.session() as session:
        piece = {"id": "x", "source": "files", "page_id": LEAVE}
        session.add(EvidenceRow(**piece, record={}, text_hash=""))


@pytest.mark.only_sqlite("tests/core/storage/test_plans.py reads the plans of both")
@pytest.mark.parametrize("table", [PageRow, EvidenceRow])
def test_pages_are_looked_up_in_an_index(database: Database, table: type[SQLModel]) -> None:
    keys = [PageKey(source, page_id) for source in ("confluence", "files") for page_id in "123"]
    found = select(table).where(is_page(keys) if table is PageRow else is_on_page(keys))
    query = found.compile(database.engine, compile_kwargs={"literal_binds": True})
    with database.reading() as session:
        plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).all()
    steps = [str(step[3]) for step in plan]
    assert any("source=? AND" in step for step in steps)
    assert not any(step.startswith("SCAN") for step in steps)
