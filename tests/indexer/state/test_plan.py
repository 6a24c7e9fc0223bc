"""What a sync has to do: the listing against the index, as pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.models import Page
from indexer.state.plan import IndexedPage, Plan, is_doubtful, plan

NOW = 1_000_000.0
MADE_BY = "1"


def page(identifier: str = "1", **more: Any) -> Page:
    return Page(
        id=identifier,
        **({"space": "DOC", "title": f"Page {identifier}", "url": f"/{identifier}"} | more),
    )


def indexed(known: Page, **more: Any) -> IndexedPage:
    given: dict[str, Any] = {
        "made_by": MADE_BY,
        "visible": True,
        "acl_id": "open",
        "readers": frozenset(),
        "scanned_at": NOW,
    }
    return IndexedPage(page=known, **(given | more))


def made(listed: list[Page], *known: IndexedPage) -> Plan:
    return plan(listed, {each.page.id: each for each in known}, made_by=MADE_BY, now=NOW)


def fetched(listed: list[Page], *known: IndexedPage) -> list[str]:
    return [found.id for found in made(listed, *known).fetch]


def scanned(listed: list[Page], *known: IndexedPage) -> list[str]:
    return [found.id for found in made(listed, *known).changed]


def test_a_new_page_is_fetched_and_scanned() -> None:
    assert (fetched([page()]), scanned([page()])) == (["1"], ["1"])


def test_a_page_that_is_as_it_was_needs_nothing() -> None:
    assert made([page()], indexed(page())) == Plan(changed=(), fetch=(), relisted=(), confirm=())


@pytest.mark.parametrize("change", [{"version": 2}, {"title": "New"}, {"space": "OPS"}])
def test_a_page_with_another_version_title_or_space_is_fetched_and_scanned(
    change: dict[str, Any],
) -> None:
    assert (
        fetched([page(**change)], indexed(page())),
        scanned([page(**change)], indexed(page())),
    ) == (["1"], ["1"])


def test_a_page_that_moved_within_its_space_is_scanned_and_its_body_left_alone() -> None:
    moved = page(parent_id="9", breadcrumbs=("Nine",))
    done = made([moved], indexed(page()))
    assert (done.fetch, done.changed, done.relisted) == ((), (moved,), (moved,))


@pytest.mark.parametrize(
    "change",
    [
        {"url": "/n"},
        {"owner": "Ben"},
        {"updated_at": "2026-11-01"},
        {"breadcrumbs": ("Up",)},
        {"labels": ("a",)},
    ],
)
def test_what_readers_are_shown_besides_is_noted_without_a_request(change: dict[str, Any]) -> None:
    assert made([page(**change)], indexed(page())) == Plan(
        changed=(), fetch=(), relisted=(page(**change),), confirm=()
    )


def test_a_new_version_that_may_not_be_fetched_yet_is_not_noted_as_read() -> None:
    done = made([page(version=2, url="/n")], indexed(page(), next_try=NOW + 60))
    assert (done.fetch, done.relisted) == ((), ())


def test_evidence_that_another_parser_made_is_made_anew() -> None:
    assert fetched([page()], indexed(page(), made_by="0")) == ["1"]


def test_a_page_whose_restrictions_could_not_be_read_is_scanned_again() -> None:
    assert scanned([page()], indexed(page(), readers=None)) == ["1"]


def test_a_page_that_failed_is_left_alone_until_its_time_has_come() -> None:
    assert fetched([page(version=2)], indexed(page(), next_try=NOW + 1)) == []
    assert fetched([page(version=2)], indexed(page(), next_try=NOW)) == ["1"]


def test_a_page_that_readers_find_and_the_listing_lacks_is_to_be_confirmed() -> None:
    there = indexed(page())
    assert made([], there).confirm == (there,)
    hidden = replace(there, visible=False)
    assert made([], hidden).confirm == ()
    missed = replace(hidden, missing_since=NOW)
    assert made([], missed).confirm == (missed,)
    failing = replace(hidden, next_try=NOW + 1)
    assert made([], failing).confirm == (failing,), "or it would be a failure for ever"


@pytest.mark.parametrize(
    ("listed", "missing", "doubtful"),
    [
        (5, 0, False),
        (0, 0, False),
        (0, 1, True),
        (1, 20, False),
        (1, 21, True),
        (900, 100, False),
        (899, 101, True),
        (5000, 300, False),
    ],
)
def test_an_empty_listing_or_one_that_lost_more_than_20_pages_and_a_tenth_is_doubtful(
    listed: int, missing: int, doubtful: bool
) -> None:
    assert is_doubtful(listed, missing) is doubtful
