"""What a sync has to do: the listing against the index, as pure functions."""

from __future__ import annotations

from typing import Any

import pytest

from core.models import Page
from indexer.plan import Indexed, Plan, is_doubtful, plan

NOW = 1_000_000.0
MADE_BY = "1/letters"


def page(identifier: str = "1", **more: Any) -> Page:
    return Page(id=identifier, **({"space": "DOC", "title": f"Page {identifier}", "url": f"/{identifier}"} | more))


def indexed(known: Page, **more: Any) -> Indexed:
    given: dict[str, Any] = {"made_by": MADE_BY, "visible": True, "restricted": False, "restrictions_read_at": NOW}
    return Indexed(page=known, **(given | more))


def made(listed: list[Page], *known: Indexed) -> Plan:
    return plan(listed, {each.page.id: each for each in known}, made_by=MADE_BY, now=NOW)


def fetched(listed: list[Page], *known: Indexed) -> list[str]:
    return [found.id for found in made(listed, *known).fetch]


def test_a_new_page_is_fetched() -> None:
    assert fetched([page()]) == ["1"]


def test_a_page_that_is_as_it_was_needs_nothing() -> None:
    assert made([page()], indexed(page())) == Plan(fetch=(), relisted=(), confirm=())


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"title": "New"}, {"space": "OPS"}, {"parent_id": "9"}, {"status": "archived"}],
)
def test_a_page_of_which_the_listing_says_something_else_is_fetched(change: dict[str, Any]) -> None:
    assert fetched([page(**change)], indexed(page())) == ["1"]


@pytest.mark.parametrize("change", [{"url": "/n"}, {"owner": "Ben"}, {"updated_at": "2026-11-01"}])
def test_another_address_or_owner_is_noted_without_fetching_the_body(change: dict[str, Any]) -> None:
    done = made([page(**change)], indexed(page(labels=("policy",))))
    assert done.fetch == ()
    assert done.relisted == (page(labels=("policy",), **change),)


def test_a_new_version_that_may_not_be_fetched_yet_is_not_noted_as_read() -> None:
    done = made([page(version=2, url="/n")], indexed(page(), next_try=NOW + 60))
    assert (done.fetch, done.relisted) == ((), ())


def test_labels_which_no_listing_names_make_no_change() -> None:
    assert fetched([page()], indexed(page(labels=("policy",)))) == []


@pytest.mark.parametrize(
    "child",
    [
        pytest.param(page("2", parent_id="1", title="Other"), id="renamed"),
        pytest.param(page("2", parent_id="1"), id="new"),
    ],
)
def test_a_child_that_is_new_or_renamed_makes_its_parent_due(child: Page) -> None:
    before = [indexed(page("1"))] + ([indexed(page("2", parent_id="1"))] if child.title == "Other" else [])
    assert fetched([page("1"), child], *before) == ["1", "2"]


def test_a_child_that_moves_makes_both_parents_due() -> None:
    before = [indexed(page("1")), indexed(page("2")), indexed(page("3", parent_id="1"))]
    assert fetched([page("1"), page("2"), page("3", parent_id="2")], *before) == ["1", "2", "3"]


def test_a_child_that_is_gone_makes_its_parent_due_until_it_is_hidden() -> None:
    parent, child = indexed(page("1")), page("2", parent_id="1")
    assert fetched([page("1")], parent, indexed(child)) == ["1"]
    assert fetched([page("1")], parent, indexed(child, visible=False)) == []


def test_evidence_that_another_parser_or_embedder_made_is_made_anew() -> None:
    assert fetched([page()], indexed(page(), made_by="0/letters")) == ["1"]


def test_a_hidden_page_has_no_evidence_to_be_made_anew() -> None:
    assert fetched([page()], indexed(page(), made_by="", visible=False, restricted=True)) == []


def test_a_page_whose_restrictions_could_not_be_read_is_tried_again() -> None:
    assert fetched([page()], indexed(page(), visible=False, restricted=None)) == ["1"]


def test_a_page_that_failed_is_left_alone_until_its_time_has_come() -> None:
    assert fetched([page(version=2)], indexed(page(), next_try=NOW + 1)) == []
    assert fetched([page(version=2)], indexed(page(), next_try=NOW)) == ["1"]


def test_a_page_that_readers_find_and_the_listing_lacks_is_to_be_confirmed() -> None:
    assert made([], indexed(page())).confirm == (page(),)
    assert made([], indexed(page(), visible=False)).confirm == ()
    assert made([], indexed(page(), visible=False, next_try=NOW + 1)).confirm == (page(),), "or it would be a failure for ever"


@pytest.mark.parametrize(
    ("listed", "missing", "doubtful"),
    [(5, 0, False), (0, 0, False), (0, 1, True), (1, 20, False), (1, 21, True), (900, 100, False), (899, 101, True), (5000, 300, False)],
)
def test_an_empty_listing_or_one_that_lost_more_than_20_pages_and_a_tenth_is_doubtful(listed: int, missing: int, doubtful: bool) -> None:
    assert is_doubtful(listed, missing) is doubtful
