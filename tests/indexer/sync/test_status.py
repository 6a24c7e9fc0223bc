"""What is indexed, how fresh it is and what failed, per space."""

from __future__ import annotations

from datetime import datetime

from core.models import Page
from core.pages import CONFLUENCE
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, SyncRow
from indexer.state.page_state import PageState
from indexer.sync.status import status_of_spaces


def save(database: Database, *rows: object) -> None:
    with database.session() as session:
        session.add_all(rows)


def page(identifier: str, space: str, *, visible: bool = True) -> PageRow:
    record = Page(id=identifier, space=space, title=f"Page {identifier}", url="").model_dump(
        mode="json"
    )
    return PageRow(
        id=identifier,
        space=space,
        title=f"Page {identifier}",
        acl_id="open",
        record=record,
        visible=visible,
    )


def test_a_database_without_any_sync_has_no_spaces(database: Database) -> None:
    assert status_of_spaces(database) == []


def test_pages_hidden_pages_and_evidence_are_counted_per_space(database: Database) -> None:
    save(
        database,
        page("1", "DOC"),
        page("2", "DOC"),
        page("3", "DOC", visible=False),
        page("4", "OPS"),
    )
    save(
        database,
        *(
            EvidenceRow(id=f"e{n}", page_id=owner, record={}, text_hash="")
            for n, owner in enumerate("1124")
        ),
    )
    save(database, SyncRow(space="DOC", started_at=1.0), SyncRow(space="OPS", started_at=1.0))

    assert [(s.space, s.pages, s.hidden, s.evidence) for s in status_of_spaces(database)] == [
        ("DOC", 2, 1, 3),
        ("OPS", 1, 0, 1),
    ]


def test_the_last_complete_sync_and_the_last_error_are_those_of_the_newest_runs(
    database: Database,
) -> None:
    save(
        database,
        SyncRow(space="DOC", started_at=10.0, finished_at=20.0, complete=True),
        SyncRow(space="DOC", started_at=30.0, finished_at=40.0, complete=True),
        SyncRow(
            space="DOC",
            started_at=50.0,
            finished_at=60.0,
            error="Confluence answered 500 to every try",
            counts={"listed": 12, "indexed": 3},
        ),
        SyncRow(space="OPS", started_at=50.0),
    )
    doc, ops = status_of_spaces(database)
    assert datetime.fromisoformat(doc.last_complete).timestamp() == 40.0
    assert doc.last_error == "Confluence answered 500 to every try"
    assert doc.last_counts == {"listed": 12, "indexed": 3}
    assert (ops.last_complete, ops.last_error, ops.last_counts) == ("", "", {})


def test_an_error_that_is_overcome_is_no_longer_shown(database: Database) -> None:
    save(
        database,
        SyncRow(space="DOC", started_at=10.0, error="it was down"),
        SyncRow(space="DOC", started_at=20.0, complete=True),
    )
    assert status_of_spaces(database)[0].last_error == ""


def test_a_page_that_failed_is_named_with_its_reason_and_its_next_try_until_it_succeeds(
    database: Database,
) -> None:
    save(database, SyncRow(space="DOC"), SyncRow(space="OPS"), page("1", "DOC"))
    page_state = PageState(database, CONFLUENCE)
    page_state.save_failure(Page(id="1", space="DOC", title="Page 1", url=""), "no body")
    (failure,) = status_of_spaces(database)[0].failures
    assert (failure["page"], failure["title"], failure["error"], failure["failures"]) == (
        "1",
        "Page 1",
        "no body",
        1,
    )
    assert datetime.fromisoformat(str(failure["next_try"]))
    assert status_of_spaces(database)[1].failures == []

    page_state.clear_failure("1")
    assert status_of_spaces(database)[0].failures == []


def test_a_page_that_failed_before_it_was_ever_indexed_is_named_too(database: Database) -> None:
    save(database, SyncRow(space="DOC"))
    PageState(database, CONFLUENCE).save_failure(
        Page(id="9", space="DOC", title="New", url=""), "no body"
    )
    (status,) = status_of_spaces(database)
    assert (status.pages, status.hidden, len(status.failures)) == (0, 1, 1)


def test_pages_for_some_and_pages_for_nobody_are_counted_apart(database: Database) -> None:
    some, nobody = page("1", "DOC"), page("2", "DOC")
    some.acl_id, nobody.acl_id = "few", "denied"
    save(database, some, nobody, page("3", "DOC"), SyncRow(space="DOC"))
    (status,) = status_of_spaces(database)
    assert (status.pages, status.restricted, status.withheld, status.hidden) == (3, 1, 1, 0)


def test_the_oldest_scan_says_how_stale_labels_and_restrictions_can_be(database: Database) -> None:
    pages = [page(str(n), "DOC", visible=n != 3) for n in (1, 2, 3)]
    for scanned, row in zip((200.0, 100.0, 1.0), pages, strict=True):
        row.scanned_at = scanned
    save(database, *pages, SyncRow(space="DOC"))
    assert datetime.fromisoformat(status_of_spaces(database)[0].scanned_since).timestamp() == 100.0
