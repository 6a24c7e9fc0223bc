"""The sync against a small site: what readers find after each edit and after each fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from wiki_site import (
    BANDS,
    HOME,
    LEAVE,
    LEAVE_BODY,
    NEWS,
    OPS,
    SALARY,
    TRAVEL,
    Wiki,
    WithoutBodies,
    content,
)

from core.errors import (
    SourceError,
    SourceNotUnderstood,
    SourceRefused,
    SourceUnreachable,
    StoreUnavailable,
)
from core.evidence import Dense, EvidenceStore
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from indexer.state.page_state import FIRST_RETRY_S, failures
from indexer.sync.scan import FAILURES_IN_A_ROW
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running


def without_chroma(store: EvidenceStore) -> EvidenceStore:
    return EvidenceStore(
        store.database,
        store.lexical,
        Dense(vector_stores("http://127.0.0.1:1"), store.dense.embedder, wanted="bundled"),
    )


READABLE = {HOME, LEAVE, TRAVEL, NEWS}


@pytest.fixture(scope="module")
def bodies() -> WithoutBodies:
    return WithoutBodies(build_app(content()))


@pytest.fixture(scope="module")
def served(bodies: WithoutBodies) -> Iterator[tuple[str, Site]]:
    with running(bodies) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], bodies: WithoutBodies, store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    bodies.failing = set()
    return Wiki(url, site, store)


@pytest.fixture
def synced(wiki: Wiki) -> Wiki:
    """A site that is indexed."""
    wiki.sync()
    return wiki


def test_the_first_sync_makes_everything_findable_that_everybody_may_read(wiki: Wiki) -> None:
    counts = wiki.sync()

    assert wiki.visible() == READABLE
    assert (counts.listed, counts.indexed, counts.withheld, counts.failed) == (6, 4, 2, 0)
    assert wiki.found("How many days of leave?")[0] == LEAVE


def test_the_first_search_finds_an_index_that_the_sync_has_made(wiki: Wiki, tmp_path: Path) -> None:
    wiki.sync()
    assert LexicalIndex(tmp_path).size() == wiki.store.lexical.size() > 0


KNOWN_TO_THE_PLANNER = {
    "sqlite": "SELECT tbl FROM sqlite_stat1",
    "postgresql": "SELECT relname FROM pg_class WHERE reltuples > 0",
}


def test_a_sync_that_changed_something_tells_the_planner_how_much_there_is(wiki: Wiki) -> None:
    wiki.sync()
    with wiki.store.database.reading() as session:
        connection = session.connection()
        known = KNOWN_TO_THE_PLANNER[connection.dialect.name]
        tables = set(connection.execute(text(known)).scalars())
    assert {"page", "evidence", "embedding"} <= tables
    assert wiki.row(HOME).record["owner"] == "Ines Carvalho"
    assert wiki.row(LEAVE).record["labels"] == ["policy"]
    assert wiki.row(LEAVE).record["url"] == f"{wiki.url}/wiki/spaces/DOC/pages/2/Leave"
    assert wiki.row(NEWS).record["kind"] == "blogpost"


def test_a_sync_without_changes_reads_the_listing_and_nothing_else(synced: Wiki) -> None:
    before = len(synced.site.received())
    counts = synced.sync()

    paths = [request["path"] for request in synced.site.received()[before:]]
    assert paths == [
        "/wiki/api/v2/spaces",
        "/wiki/api/v2/pages",
        "/wiki/api/v2/users-bulk",
        "/wiki/api/v2/blogposts",
        "/wiki/rest/api/content/search",  # what is no page, to be counted
    ]
    assert (counts.fetched, counts.indexed, counts.embedded, counts.hidden) == (0, 0, 0, 0)


def test_an_edit_embeds_only_the_pieces_that_changed(synced: Wiki) -> None:
    synced.site.edit(LEAVE, LEAVE_BODY.replace("28", "30"))
    counts = synced.sync()

    assert (counts.fetched, counts.indexed, counts.embedded) == (1, 1, 1)
    assert synced.evidence(LEAVE) == [
        "Everybody has 30 days of leave.",
        "Ask Ines two weeks ahead.",
    ]


def test_a_new_version_of_the_same_text_embeds_nothing(synced: Wiki) -> None:
    synced.site.edit(LEAVE, LEAVE_BODY)
    counts = synced.sync()
    assert (counts.fetched, counts.indexed, counts.embedded) == (1, 0, 0)
    assert synced.row(LEAVE).record["version"] == 2
    assert synced.sync().fetched == 0


def test_a_new_page_appears_and_its_parent_names_it(synced: Wiki) -> None:
    created = synced.site.create("DOC", "Parking", "<p>Park behind the hall.</p>", parent_id=HOME)
    synced.sync()
    assert created["id"] in synced.visible()
    assert "Parking" in synced.evidence(HOME)[-1]


def test_a_rename_is_seen_on_the_page_and_on_its_parent(synced: Wiki) -> None:
    synced.site.rename(LEAVE, "Holidays")
    synced.sync()
    assert synced.row(LEAVE).record["title"] == "Holidays"
    assert "Holidays" in synced.evidence(HOME)[-1]
    assert "Leave" not in synced.evidence(HOME)[-1]


def test_a_move_within_the_space_is_seen_on_both_parents(synced: Wiki) -> None:
    synced.site.edit(TRAVEL, '<p>Rules.</p><ac:structured-macro ac:name="children" />')
    synced.site.move(LEAVE, parent_id=TRAVEL)
    synced.sync()
    assert synced.row(LEAVE).record["parent_id"] == TRAVEL
    assert "Leave" not in synced.evidence(HOME)[-1]
    assert "Leave" in synced.evidence(TRAVEL)[-1]


@pytest.mark.parametrize("order", [("DOC", "OPS"), ("OPS", "DOC")])
def test_a_move_to_another_configured_space_keeps_the_page_findable_under_its_new_key(
    synced: Wiki, order: tuple[str, str]
) -> None:
    synced.sync("OPS")
    synced.site.move(LEAVE, parent_id=OPS)
    for space in order:
        synced.sync(space)
        assert LEAVE in synced.visible()
    assert synced.row(LEAVE).space == "OPS"
    assert synced.sync("DOC").fetched == synced.sync("OPS").fetched == 0


def test_a_page_that_moved_to_a_space_that_is_not_configured_is_gone_once_and_for_all(
    synced: Wiki,
) -> None:
    synced.site.move(LEAVE, space="OLD")
    assert synced.sync().hidden == 1
    assert LEAVE not in synced.visible()
    counts = synced.sync()
    assert (counts.hidden, counts.fetched) == (0, 0)


@pytest.mark.parametrize("verb", ["trash", "archive", "purge"])
def test_a_page_that_is_taken_away_is_no_longer_found_nor_named(synced: Wiki, verb: str) -> None:
    getattr(synced.site, verb)(LEAVE)
    assert synced.sync().hidden == 1

    assert synced.visible() == READABLE - {LEAVE}
    assert LEAVE not in synced.found("How many days of leave?")
    assert "Leave" not in synced.evidence(HOME)[-1]
    counts = synced.sync()
    assert (counts.hidden, counts.fetched) == (0, 0)


@pytest.mark.parametrize("verb", ["trash", "archive"])
def test_a_page_that_is_restored_is_found_and_named_again(synced: Wiki, verb: str) -> None:
    getattr(synced.site, verb)(LEAVE)
    synced.sync()
    synced.site.restore(LEAVE)
    assert synced.sync().embedded == 0, "its vectors are kept by the hash of their texts"
    assert LEAVE in synced.visible()
    assert "Leave" in synced.evidence(HOME)[-1]


def test_neither_a_restricted_page_nor_what_is_under_it_nor_its_title_is_ever_found(
    synced: Wiki,
) -> None:
    assert {SALARY, BANDS}.isdisjoint(synced.visible())
    assert synced.evidence(SALARY) == synced.evidence(BANDS) == []
    assert not any(
        word in synced.all_evidence() for word in ("Salary", "Bands", "secret", "71,000")
    )
    assert {SALARY, BANDS}.isdisjoint(synced.found("Where does band four of the salary begin?"))


def test_a_page_that_becomes_restricted_disappears_with_all_under_it_and_with_its_title(
    synced: Wiki,
) -> None:
    synced.site.unrestrict(SALARY)
    synced.later(scanned_at=0.0)
    synced.sync()
    assert synced.visible() == READABLE | {SALARY, BANDS}
    assert "Salary" in synced.evidence(HOME)[-1]

    synced.site.restrict(SALARY, groups=["people"])
    synced.later(scanned_at=0.0)
    assert synced.sync().hidden == 2

    assert synced.visible() == READABLE
    assert not any(word in synced.all_evidence() for word in ("Salary", "Bands"))
    assert synced.sync().fetched == 0


def test_a_change_of_restrictions_is_found_at_once_when_the_page_is_edited_too(
    synced: Wiki,
) -> None:
    synced.site.restrict(LEAVE, users=["sandbox:ines"])
    synced.site.edit(LEAVE, "<p>For Ines alone.</p>")
    synced.sync()
    assert LEAVE not in synced.visible()
    assert "Leave" not in synced.all_evidence()


def test_a_page_that_moves_under_a_restricted_one_disappears(synced: Wiki) -> None:
    synced.site.move(LEAVE, parent_id=SALARY)
    synced.sync()
    assert LEAVE not in synced.visible()


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 403},
        {"status": 404},
        {"status": 500, "times": 9},
        {"login_page": True},
        {"garbage": True},
    ],
)
def test_a_restriction_that_cannot_be_read_hides_the_page_until_it_can(
    wiki: Wiki, fault: dict[str, object]
) -> None:
    wiki.site.fault(path_contains="content/search", status=400, times=9)
    wiki.site.fault(path_contains=f"content/{LEAVE}/restriction", **fault)
    wiki.sync()
    assert wiki.visible() == READABLE - {LEAVE}
    assert "Leave" not in wiki.all_evidence()

    wiki.site.reset()
    wiki.sync()
    assert wiki.visible() == READABLE
    assert "Leave" in wiki.evidence(HOME)[-1]


def test_a_page_under_a_folder_is_left_out_unless_the_operator_vouches_for_the_folders(
    wiki: Wiki,
) -> None:
    folder = wiki.site.create("DOC", "Folder", "", kind="folder", parent_id=TRAVEL)["id"]
    inside = wiki.site.create("DOC", "Inside", "<p>In the folder.</p>", parent_id=folder)["id"]
    wiki.sync()
    assert inside not in wiki.visible()
    wiki.more["confluence_folders"] = "open"
    wiki.sync()
    assert inside in wiki.visible()


def test_a_page_under_a_folder_is_open_as_long_as_nothing_above_the_folder_is_restricted(
    wiki: Wiki,
) -> None:
    wiki.more["confluence_folders"] = "open"
    folder = wiki.site.create("DOC", "Folder", "", kind="folder", parent_id=TRAVEL)["id"]
    inside = wiki.site.create("DOC", "Inside", "<p>In the folder.</p>", parent_id=folder)["id"]
    wiki.sync()
    assert inside in wiki.visible()

    wiki.site.restrict(folder, groups=["people"])
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert inside not in wiki.visible()
    wiki.site.unrestrict(folder)
    wiki.site.move(folder, parent_id=SALARY)
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert inside not in wiki.visible()
    wiki.site.move(folder, parent_id=TRAVEL)
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert inside in wiki.visible()


def test_a_page_under_a_folder_of_which_nothing_could_be_read_is_shown_to_nobody_until_it_can(
    wiki: Wiki,
) -> None:
    wiki.more["confluence_folders"] = "open"
    folder = wiki.site.create("DOC", "Folder", "", kind="folder", parent_id=TRAVEL)["id"]
    inside = wiki.site.create("DOC", "Inside", "<p>In the folder.</p>", parent_id=folder)["id"]
    wiki.site.fault(path_contains=f"/pages/{inside}/ancestors", status=403)
    wiki.sync()
    assert inside not in wiki.visible()
    wiki.sync()
    assert inside in wiki.visible()


def test_a_page_under_an_archived_one_is_bound_by_what_is_restricted_above_that(wiki: Wiki) -> None:
    wiki.site.unrestrict(SALARY)
    below = wiki.site.create("DOC", "Details", "<p>Very secret.</p>", parent_id=BANDS)["id"]
    wiki.sync()
    assert below in wiki.visible()
    wiki.site.restrict(SALARY, groups=["people"])
    wiki.site.archive(BANDS)
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert {SALARY, BANDS, below}.isdisjoint(wiki.visible())


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        ({"truncate": True}, SourceNotUnderstood, "instead of JSON"),
        ({"drop": True}, SourceUnreachable, "does not answer"),
        ({"garbage": True}, SourceNotUnderstood, "instead of JSON"),
        ({"login_page": True}, SourceNotUnderstood, "text/html.*login page"),
        ({"status": 401}, SourceRefused, "CONFLUENCE_TOKEN"),
        ({"status": 403}, SourceRefused, "CONFLUENCE_TOKEN"),
        ({"status": 404}, SourceNotUnderstood, "CONFLUENCE_URL"),
        ({"status": 500, "times": 99}, SourceUnreachable, "500"),
        ({"status": 429, "times": 9}, SourceUnreachable, "429"),
    ],
    ids=["truncated", "dropped", "garbage", "login page", "401", "403", "404", "500", "429"],
)
def test_a_listing_that_cannot_be_read_is_a_clear_error_and_removes_nothing(
    synced: Wiki, fault: dict[str, object], error: type[SourceError], said: str
) -> None:
    synced.site.trash(LEAVE)
    synced.site.fault(path_contains="/api/v2/blogposts", **fault)  # the pages were read already
    with pytest.raises(error, match=said):
        synced.sync()
    assert synced.visible() == READABLE


def test_an_error_that_passes_is_tried_again(wiki: Wiki) -> None:
    wiki.site.fault(path_contains="/api/v2/", status=503, times=2)
    wiki.site.fault(path_contains="/users-bulk", status=502, times=2)
    wiki.sync()
    assert wiki.visible() == READABLE


def test_an_empty_listing_removes_nothing_unless_it_is_said_to_be_right(synced: Wiki) -> None:
    for page_id in (HOME, LEAVE, SALARY, BANDS, TRAVEL, NEWS):
        synced.site.trash(page_id)
    counts = synced.sync()
    assert (counts.kept_on_doubt, counts.hidden) == (4, 0)
    assert synced.visible() == READABLE

    assert synced.sync(allow_shrink=True).hidden == 4
    assert synced.visible() == set()


def test_a_space_that_shrinks_by_more_than_20_pages_keeps_them_until_it_is_said_to_be_right(
    wiki: Wiki,
) -> None:
    pages = [wiki.site.create("DOC", f"Page {n}", f"<p>Number {n}</p>")["id"] for n in range(22)]
    wiki.sync()
    for page_id in pages[1:]:
        wiki.site.purge(page_id)
    assert wiki.sync().kept_on_doubt == 21
    assert wiki.visible() == READABLE | set(pages)
    assert wiki.sync(allow_shrink=True).hidden == 21
    assert wiki.visible() == READABLE | {pages[0]}


def test_a_missing_page_that_cannot_be_confirmed_stays_and_one_that_is_refused_goes(
    synced: Wiki,
) -> None:
    synced.site.trash(LEAVE)
    synced.site.trash(TRAVEL)
    synced.site.fault(path_contains=f"/pages/{LEAVE}", login_page=True)
    synced.site.fault(path_contains=f"/pages/{TRAVEL}", status=403)
    synced.sync()
    assert synced.visible() == READABLE - {TRAVEL}
    synced.sync()
    assert synced.visible() == READABLE - {TRAVEL, LEAVE}


def test_a_body_that_fails_keeps_the_old_evidence_and_is_tried_again_while_the_rest_goes_on(
    synced: Wiki, bodies: WithoutBodies
) -> None:
    bodies.failing = {LEAVE}
    synced.site.edit(LEAVE, "<p>New.</p>")
    synced.site.edit(TRAVEL, "<p>A hotel costs up to 130 EUR.</p>")
    counts = synced.sync()

    assert (counts.failed, counts.indexed) == (1, 1)
    assert synced.evidence(LEAVE)[0] == "Everybody has 28 days of leave."
    assert synced.evidence(TRAVEL) == ["A hotel costs up to 130 EUR."]
    (failure,) = failures(synced.store.database)
    assert (failure.page.id, failure.failures) == (LEAVE, 1)
    assert "body" in failure.error
    assert 0 < failure.next_try - synced.row(LEAVE).scanned_at < 2 * FIRST_RETRY_S

    bodies.failing = set()
    assert synced.sync().fetched == 0, "its time has not come"
    synced.later(next_try=0.0)
    synced.sync()
    assert synced.evidence(LEAVE) == ["New."]
    assert failures(synced.store.database) == []


def test_a_page_that_failed_and_is_gone_is_no_failure_any_more(
    wiki: Wiki, bodies: WithoutBodies
) -> None:
    bodies.failing = {LEAVE}
    wiki.sync()
    assert [failure.page.id for failure in failures(wiki.store.database)] == [LEAVE]
    wiki.site.purge(LEAVE)
    wiki.sync()
    assert failures(wiki.store.database) == []


def test_a_failing_page_waits_twice_as_long_each_time(synced: Wiki, bodies: WithoutBodies) -> None:
    bodies.failing = {LEAVE}
    synced.site.edit(LEAVE, "<p>New.</p>")
    waits = []
    for _ in range(3):
        synced.sync()
        row = synced.row(LEAVE)
        waits.append(row.next_try - row.scanned_at)
        synced.later(next_try=0.0)
    assert waits[0] * 1.5 < waits[1] < waits[2] / 1.5
    assert synced.row(LEAVE).failures == 3


def test_a_parent_whose_children_changed_while_its_body_failed_is_tried_again(
    synced: Wiki, bodies: WithoutBodies
) -> None:
    bodies.failing = {HOME}
    synced.site.trash(LEAVE)
    synced.sync()
    bodies.failing = set()
    synced.later(next_try=0.0)
    synced.sync()
    assert "Leave" not in synced.evidence(HOME)[-1]


def test_a_site_that_returns_no_bodies_at_all_ends_the_sync_soon(
    wiki: Wiki, bodies: WithoutBodies
) -> None:
    pages = {wiki.site.create("DOC", f"Page {n}", f"<p>Number {n}</p>")["id"] for n in range(30)}
    bodies.failing = pages
    with pytest.raises(SourceUnreachable, match="in a row"):
        wiki.sync()
    assert len(failures(wiki.store.database)) == FAILURES_IN_A_ROW
    bodies.failing = set()
    wiki.later(next_try=0.0)
    wiki.sync()
    assert pages < wiki.visible()


def test_a_page_whose_labels_cannot_be_read_fails_by_itself(wiki: Wiki) -> None:
    wiki.site.fault(path_contains="content/search", status=400, times=9)
    wiki.site.fault(path_contains=f"/pages/{TRAVEL}/labels", status=403)
    assert wiki.sync().failed == 1
    assert wiki.visible() == READABLE - {TRAVEL}


def test_mentioned_people_appear_by_name_and_are_looked_up_once(synced: Wiki) -> None:
    assert any("@Ines Carvalho" in text for text in synced.evidence(TRAVEL))
    lookups = [
        request for request in synced.site.received() if request["path"].endswith("/users-bulk")
    ]
    assert len(lookups) == 1


def test_without_chroma_the_sync_says_so_keeps_the_old_evidence_and_the_next_one_repairs_it(
    synced: Wiki,
) -> None:
    synced.site.edit(LEAVE, "<p>New.</p>")
    with pytest.raises(StoreUnavailable, match="CHROMA_URL"):
        Wiki(synced.url, synced.site, without_chroma(synced.store)).sync()
    assert synced.evidence(LEAVE)[0] == "Everybody has 28 days of leave."

    assert synced.sync().indexed == 1
    assert synced.evidence(LEAVE) == ["New."]


def test_a_first_sync_that_chroma_interrupts_is_completed_by_the_next(wiki: Wiki) -> None:
    with pytest.raises(StoreUnavailable):
        Wiki(wiki.url, wiki.site, without_chroma(wiki.store)).sync()
    assert wiki.visible() == set()
    wiki.sync()
    assert wiki.visible() == READABLE
