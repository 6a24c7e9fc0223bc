"""The permission-aware mode: each piece is found by those who may read all that it tells of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from wiki import key, searching
from wiki_site import BANDS, CHILDREN, HOME, LEAVE, NEWS, OPS, SALARY, TRAVEL, Wiki, content

from core.evidence import EvidenceStore, Query
from core.policy import acl
from core.policy.acl import DENIED_ID, EVERYBODY, OPEN_ID, Reader
from indexer.access.why_readable import can_read
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Person
from sandbox.http.server import running

INES, BEN, EVA = "sandbox:ines", "sandbox:ben", "sandbox:eva"
AWARE = {"permission_mode": "aware", "confluence_everybody": "confluence-users"}
LINK = '<p>See <ac:link><ri:page ri:content-title="{}" ri:space-key="{}" /></ac:link> for more.</p>'


def staffed() -> Content:
    made = content()
    people = [
        Person(INES, "Ines", "ines@example.com"),
        Person(BEN, "Ben", "ben@example.com"),
        Person(EVA, "Eva", ""),
    ]
    made.people = {person.account_id: person for person in people}
    return made


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(staffed())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    """Salary is for the group `people`, where Ines is; the space for everybody."""
    url, site = served
    site.reset()
    site.members("people", [INES])
    return Wiki(url, site, store, dict(AWARE))


@pytest.fixture
def synced(wiki: Wiki) -> Wiki:
    wiki.sync("DOC")
    wiki.sync("OPS")
    return wiki


def reader(wiki: Wiki, account: str) -> Reader:
    return acl.reader(wiki.store.database, f"user:{account}")


def shown(
    wiki: Wiki,
    who: Reader,
    question: str = "salary bands secret child pages leave hotel office call",
) -> str:
    """All that a search shows somebody."""
    hits = searching(wiki.store).search(Query(question), 50, who).hits
    return "\n".join(
        "\n".join(
            [hit.page.title, hit.evidence.text, hit.evidence.before.text, hit.evidence.after.text]
        )
        for hit in hits
    )


def test_every_page_is_indexed_and_found_by_those_who_may_read_it(synced: Wiki) -> None:
    assert synced.visible() == {HOME, LEAVE, SALARY, BANDS, TRAVEL, NEWS, OPS}
    assert "Band four begins at 71,000." in shown(synced, reader(synced, INES))
    for who in (reader(synced, BEN), reader(synced, "sandbox:nobody"), EVERYBODY):
        assert not any(
            word in shown(synced, who) for word in ("Salary", "Bands", "secret", "71,000")
        )
        assert "28 days" in shown(synced, who)


def test_a_list_of_child_pages_names_to_each_reader_what_that_reader_may_see(synced: Wiki) -> None:
    assert "Child pages: Leave; Travel" in shown(synced, EVERYBODY)
    assert "Child pages: Salary" in shown(synced, reader(synced, INES))
    assert "Child pages: Salary" not in shown(synced, reader(synced, BEN))
    assert "Child pages: Bands of 2026" in shown(synced, reader(synced, INES)), (
        "whoever reads Salary reads what is under it"
    )


def test_child_pages_in_a_cell_are_named_as_far_as_everybody_may_know_them(synced: Wiki) -> None:
    synced.site.edit(
        HOME, f"<table><tbody><tr><th>Under</th></tr><tr><td>{CHILDREN}</td></tr></tbody></table>"
    )
    synced.sync()
    assert "Under is Child pages: Leave; Travel" in shown(synced, EVERYBODY)
    assert "Salary" not in "".join(synced.evidence(HOME))


def test_a_link_without_text_shows_the_title_only_where_every_reader_may_read_that_page(
    synced: Wiki,
) -> None:
    synced.site.edit(LEAVE, LINK.format("Salary", "DOC") + LINK.format("Travel", ""))
    synced.site.edit(BANDS, LINK.format("Salary", "DOC"))
    synced.sync()
    assert synced.evidence(LEAVE) == ["See [another page] for more.\nSee Travel for more."]
    assert synced.evidence(BANDS) == ["See Salary for more."], (
        "whoever reads Bands has passed Salary"
    )


def test_a_link_to_a_page_that_the_index_does_not_know_is_not_named(synced: Wiki) -> None:
    synced.site.edit(LEAVE, LINK.format("Attic", "OLD") + LINK.format("Nowhere", ""))
    synced.sync()
    assert synced.evidence(LEAVE) == ["See [another page] for more.\nSee [another page] for more."]


def test_a_link_into_another_space_is_named_as_soon_as_that_space_is_known(wiki: Wiki) -> None:
    wiki.site.edit(LEAVE, LINK.format("On call", "OPS"))
    wiki.sync("DOC")
    assert "[another page]" in wiki.evidence(LEAVE)[0]
    wiki.sync("OPS")
    assert wiki.sync("DOC").fetched == 1
    assert wiki.evidence(LEAVE) == ["See On call for more."]


def test_a_page_that_becomes_restricted_loses_its_title_on_pages_of_other_spaces_at_once(
    synced: Wiki,
) -> None:
    synced.site.edit(
        LEAVE, LINK.format("On call", "OPS") + "<h2>A</h2><p>Between.</p><h2>B</h2><p>It stays.</p>"
    )
    synced.sync("DOC")
    synced.site.restrict(OPS, groups=["people"])
    synced.later(scanned_at=0.0)
    synced.sync("OPS")
    assert synced.evidence(LEAVE) == ["It stays."], (
        "and is made anew by the next sync of its own space"
    )
    synced.sync("DOC")
    assert synced.evidence(LEAVE) == ["See [another page] for more.", "Between.", "It stays."]


def test_a_change_of_restrictions_changes_who_finds_the_page_and_all_under_it_and_embeds_nothing(
    synced: Wiki,
) -> None:
    synced.site.restrict(SALARY, users=[BEN])
    synced.later(scanned_at=0.0)
    counts = synced.sync()
    assert (counts.regranted, counts.embedded, counts.hidden) == (2, 0, 0)
    assert "71,000" in shown(synced, reader(synced, BEN))
    assert "71,000" not in shown(synced, reader(synced, INES))
    assert "Salary" not in shown(synced, reader(synced, INES))


def test_every_restriction_on_the_way_has_to_be_passed(synced: Wiki) -> None:
    synced.site.restrict(BANDS, users=[BEN, INES])
    synced.later(scanned_at=0.0)
    synced.sync()
    assert "71,000" in shown(synced, reader(synced, INES))
    assert "71,000" not in shown(synced, reader(synced, BEN)), (
        "Ben is named on the page and not in the group above it"
    )


def test_a_title_that_was_withheld_and_may_be_shown_again_is_shown_again(synced: Wiki) -> None:
    """The evidence is then the same as before, and yet it has to be put back."""
    before = synced.evidence(HOME)
    synced.store.withhold(key(HOME), ["Leave"])  # as by a sync that was killed right after it
    synced.later(made_by="")
    synced.sync()
    assert synced.evidence(HOME) == before


def test_a_space_for_some_is_for_some(synced: Wiki) -> None:
    synced.site.space_readers("DOC", groups=["people"])
    synced.sync()
    assert "28 days" in shown(synced, reader(synced, INES))
    assert "28 days" not in shown(synced, EVERYBODY)
    assert "Ben is on call." in shown(synced, EVERYBODY)


def test_whoever_leaves_a_group_finds_its_pages_no_more_after_the_next_sync(synced: Wiki) -> None:
    synced.site.members("people", [BEN])
    synced.sync()
    assert "71,000" in shown(synced, reader(synced, BEN))
    assert "71,000" not in shown(synced, reader(synced, INES))


@pytest.mark.parametrize(
    "fault", [{"status": 403}, {"status": 500, "times": 99}, {"login_page": True}]
)
def test_restrictions_that_cannot_be_read_deny_everybody_until_they_can(
    synced: Wiki, fault: dict[str, Any]
) -> None:
    synced.later(scanned_at=0.0)
    synced.site.fault(path_contains="content/search", status=400, times=9)
    synced.site.fault(path_contains=f"content/{LEAVE}/restriction", **fault)
    counts = synced.sync()
    assert (synced.row(LEAVE).acl_id, counts.withheld) == (DENIED_ID, 1)
    assert "28 days" not in shown(synced, reader(synced, INES))
    assert "Leave" not in shown(synced, EVERYBODY)

    synced.site.reset()
    synced.site.members("people", [INES])
    counts = synced.sync()
    assert (synced.row(LEAVE).acl_id, counts.embedded) == (OPEN_ID, 0)
    assert "28 days" in shown(synced, EVERYBODY)
    assert "Child pages: Leave; Travel" in shown(synced, EVERYBODY)


def test_space_permissions_that_cannot_be_read_change_nothing(synced: Wiki) -> None:
    synced.site.fault(path_contains="/permissions", status=403)
    with pytest.raises(Exception, match="403"):
        synced.sync()
    assert "28 days" in shown(synced, EVERYBODY)


def test_nobody_is_found_by_an_email_that_two_accounts_share_or_that_is_not_shown(
    synced: Wiki,
) -> None:
    assert acl.account_of(synced.store.database, "INES@example.com") == f"user:{INES}"
    assert acl.account_of(synced.store.database, "") == ""
    assert acl.account_of(synced.store.database, "eva@example.com") == ""


def steps(wiki: Wiki, user: str, page_id: str) -> tuple[bool, list[tuple[str, bool]]]:
    verdict = can_read(wiki.store.database, user, key(page_id), aware=True)
    return verdict.allowed, [(step.what.partition(" “")[0], step.passes) for step in verdict.steps]


def test_why_somebody_may_read_a_page_or_not_is_told_step_by_step(synced: Wiki) -> None:
    assert steps(synced, "ines@example.com", BANDS) == (
        True,
        [("space DOC", True), ("page 1", True), ("page 3", True), ("page 4", True)],
    )
    allowed, told = steps(synced, BEN, BANDS)
    assert (allowed, told[2]) == (False, ("page 3", False))
    assert steps(synced, "nobody@example.com", LEAVE)[0] is True
    ines = can_read(synced.store.database, "ines@example.com", key(BANDS), aware=True)
    assert (ines.account, ines.name) == (f"user:{INES}", "Ines")


@pytest.mark.parametrize("order", [list, reversed])
def test_the_order_of_the_spaces_does_not_matter(
    wiki: Wiki, order: Callable[[list[str]], Any]
) -> None:
    wiki.site.edit(OPS, LINK.format("Salary", "DOC"))
    for _ in range(2):
        for space in order(["DOC", "OPS"]):
            wiki.sync(space)
    assert wiki.evidence(OPS) == ["See [another page] for more."]
