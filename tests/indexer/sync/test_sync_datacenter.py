"""The sync against Data Center, whose listing shows labels and restrictions with every page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from wiki import searching
from wiki_site import BANDS, HOME, LEAVE, NEWS, SALARY, TRAVEL, Wiki, content

from core.evidence import EvidenceStore, Query
from core.policy import acl
from sandbox.confluence.app import ACCESS_TOKEN, build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running


@pytest.fixture(
    scope="module",
    params=[{}, {"has_scan": False}, {"cap": 2}],
    ids=["scan", "before 7.18", "small replies"],
)
def served(request: pytest.FixtureRequest) -> Iterator[tuple[str, Site]]:
    with running(build_app(content(), **request.param)) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    more: dict[str, Any] = {
        "confluence_url": f"{url}/confluence",
        "confluence_username": "",
        "confluence_token": ACCESS_TOKEN,
    }
    return Wiki(url, site, store, more)


def test_a_first_sync_finds_what_everybody_may_read_and_a_second_one_nothing_new(
    wiki: Wiki,
) -> None:
    wiki.sync()
    assert wiki.visible() == {HOME, LEAVE, TRAVEL, NEWS}
    assert wiki.found("How many days of leave?")[0] == LEAVE
    assert wiki.row(LEAVE).record["labels"] == ["policy"]
    counts = wiki.sync()
    assert (counts.fetched, counts.scanned, counts.embedded) == (0, 0, 0)


def test_labels_and_restrictions_that_change_alone_are_found_by_the_next_sync(wiki: Wiki) -> None:
    wiki.sync()
    wiki.site.labels(LEAVE, ["rules"])
    wiki.site.unrestrict(SALARY)
    wiki.site.restrict(TRAVEL, groups=["people"])
    wiki.sync()
    assert wiki.visible() == {HOME, LEAVE, NEWS, SALARY, BANDS}
    assert wiki.row(LEAVE).record["labels"] == ["rules"]
    assert "Travel" not in wiki.all_evidence()
    assert "Salary" in wiki.evidence(HOME)[-1]


def test_edits_moves_and_deletions_are_found_too(wiki: Wiki) -> None:
    wiki.sync()
    wiki.site.edit(LEAVE, "<p>Everybody has 30 days.</p>")
    wiki.site.move(TRAVEL, parent_id=LEAVE)
    wiki.site.trash(NEWS)
    counts = wiki.sync()
    assert wiki.evidence(LEAVE) == ["Everybody has 30 days."]
    assert wiki.row(TRAVEL).record["breadcrumbs"] == ["Home", "Leave"]
    assert (NEWS in wiki.visible(), counts.hidden) == (False, 1)


def test_in_the_aware_mode_people_are_told_apart_by_their_user_keys(wiki: Wiki) -> None:
    wiki.more.update(permission_mode="aware", confluence_everybody="confluence-users")
    wiki.site.members("people", ["sandbox:ines"])
    wiki.sync()
    ines = acl.reader(wiki.store.database, f"user:{content().people['sandbox:ines'].key}")
    found = [hit.page.id for hit in searching(wiki.store).search(Query("band four"), 5, ines).hits]
    assert found[0] == BANDS
    assert BANDS not in wiki.found("band four")
