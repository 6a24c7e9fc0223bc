"""The authorizer: who may be shown a page is asked of its source as it is now, and kept briefly."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from closable import Closable
from sqlmodel import select, update
from wiki import key, page, piece, put

from core.access.authorizer import MOST_REQUESTS, Authorizer
from core.access.confirmations import unconfirmed
from core.access.disclosure import of_pages
from core.access.policy import Policy
from core.access.verdicts import Freshness
from core.evidence import EvidenceStore
from core.page_source import Space
from core.pages import PageKey
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.storage.access_tables import ConfirmationRow
from core.storage.index_tables import PageRow

PUBLIC, AWARE = Policy(), Policy(aware=True, everybody=frozenset({"group:confluence-users"}))
INES = Reader(frozenset({OPEN_ID}), "user:ines")
A, B, C = key("1"), key("2"), key("3")
ONLY_PEOPLE = frozenset({"group:people"})


@pytest.fixture
def site(store: EvidenceStore) -> Closable:
    for number in ("1", "2", "3"):
        put(store, page(number, f"Page {number}"), piece("Text.", number))
    return Closable()


def asking(store: EvidenceStore, site: Closable, policy: Policy = PUBLIC) -> Authorizer:
    return Authorizer(
        store.database, {site.name: site}, lambda: policy, freshness=Freshness(valid_s=1e-6)
    )


def allowed(control: Authorizer, reader: Reader = EVERYBODY) -> set[PageKey]:
    return set(control.check([A, B, C], reader).allowed)


@pytest.mark.parametrize("policy", [PUBLIC, AWARE])
def test_a_page_restricted_a_moment_ago_is_denied_in_both_modes(
    store: EvidenceStore, site: Closable, policy: Policy
) -> None:
    control = asking(store, site, policy)
    assert allowed(control) == {A, B, C}
    site.readers["2"] = ONLY_PEOPLE
    assert allowed(control) == {A, C}


@pytest.mark.parametrize("policy", [PUBLIC, AWARE])
def test_a_page_moved_under_a_restricted_one_is_denied(
    store: EvidenceStore, site: Closable, policy: Policy
) -> None:
    site.readers["9"] = ONLY_PEOPLE
    assert allowed(asking(store, site, policy)) == {A, B, C}
    site.above["1"] = ("9",)
    assert allowed(asking(store, site, policy)) == {B, C}


@pytest.mark.parametrize("aware", [False, True])
def test_restricted_to_the_everybody_group_is_open(
    store: EvidenceStore, site: Closable, aware: bool
) -> None:
    site.readers["1"] = frozenset({"group:confluence-users"})
    policy = replace(AWARE, aware=aware)
    assert allowed(asking(store, site, policy)) == {A, B, C}


def test_a_space_closed_a_moment_ago_closes_its_pages_where_permissions_count(
    store: EvidenceStore, site: Closable
) -> None:
    site.of_space = ONLY_PEOPLE
    assert allowed(asking(store, site, AWARE)) == set()
    assert allowed(asking(store, site, PUBLIC)) == {A, B, C}, "the operator vouches for the space"
    site.of_space = frozenset()
    assert allowed(asking(store, site, AWARE)) == set(), "nobody that we know of is not everybody"


def test_a_page_moved_into_a_space_that_the_settings_do_not_name_is_denied(
    store: EvidenceStore, site: Closable
) -> None:
    control = replace(asking(store, site), spaces=frozenset({"HR"}))
    assert allowed(control) == {A, B, C}
    site.space = Space("10", "BOARD")
    assert allowed(control) == set()


def test_a_space_that_the_operator_has_taken_out_of_the_settings_is_denied(
    store: EvidenceStore, site: Closable
) -> None:
    control = replace(asking(store, site), spaces=frozenset({"ENG"}))
    assert allowed(control) == set()
    assert site.asked == []


def test_what_the_index_hides_is_denied_whatever_the_site_says(
    store: EvidenceStore, site: Closable
) -> None:
    store.hide(page("2", "Page 2"))
    assert allowed(asking(store, site)) == {A, C}


def test_a_confirmation_by_a_clock_that_was_ahead_is_not_used_and_not_kept(
    store: EvidenceStore, site: Closable
) -> None:
    control = replace(asking(store, site), freshness=Freshness(valid_s=10))
    assert allowed(control) == {A, B, C}
    ahead = time.time() + 3600
    with store.database.session() as session:
        session.exec(update(ConfirmationRow).values(at=ahead, until=ahead + 10))
    shows = of_pages([A])
    assert unconfirmed(store.database, shows, now=time.time(), valid_s=10) == {A}
    site.readers["1"] = ONLY_PEOPLE
    assert allowed(control) == {B, C}
    assert unconfirmed(store.database, shows, now=time.time(), valid_s=10) == {A}
    assert unconfirmed(store.database, of_pages([B]), now=time.time(), valid_s=10) == set()


def test_a_witness_is_asked_instead_where_there_is_one(
    store: EvidenceStore, site: Closable
) -> None:
    witness = Closable(gone={"3"})
    control = replace(asking(store, site), witnesses={site.name: witness})
    assert allowed(control) == {A, B}
    assert site.asked == []


def test_one_person_is_asked_about_and_not_everybody(store: EvidenceStore, site: Closable) -> None:
    site.may["user:ines"] = {"1"}
    site.readers["1"] = frozenset({"user:ines"})
    assert allowed(asking(store, site, AWARE), INES) == {A}
    assert allowed(asking(store, site, AWARE)) == {B, C}


def test_a_linked_account_looks_with_its_own_eyes(store: EvidenceStore, site: Closable) -> None:
    own = Closable(gone={"1"})
    eyes = {"user:ines": own}
    control = replace(asking(store, site, AWARE), own_eyes=eyes.get)
    assert allowed(control, INES) == {B, C}
    assert site.asked == []


def test_an_answer_asks_at_most_so_many_requests_and_the_first_pages_first(
    store: EvidenceStore, site: Closable
) -> None:
    keys = [key(str(number)) for number in range(100, 130)]
    for each in keys:
        put(store, page(each.id, each.id), piece("Text.", each.id))
    found = asking(store, site, AWARE).check(keys, EVERYBODY)
    assert site.requests == MOST_REQUESTS
    assert found.allowed == set(keys[: MOST_REQUESTS - 1]), "one request was for the space"
    assert found.denied == found.failed == frozenset()


def test_all_pages_are_asked_about_in_rounds(store: EvidenceStore, site: Closable) -> None:
    keys = [key(str(number)) for number in range(100, 130)]
    for each in keys:
        put(store, page(each.id, each.id), piece("Text.", each.id))
    site.readers["110"] = ONLY_PEOPLE
    control = replace(asking(store, site), freshness=Freshness())
    found = control.check_all(keys, EVERYBODY)
    assert found.denied == {key("110")}
    assert found.allowed == set(keys) - found.denied
    assert site.requests == len(keys), "what was answered is not asked twice"


def test_what_was_confirmed_is_asked_again_before_it_is_old(
    store: EvidenceStore, site: Closable
) -> None:
    control = replace(asking(store, site), freshness=Freshness(valid_s=10))
    assert allowed(control) == allowed(control) == {A, B, C}
    assert site.asked == ["1", "2", "3"]
    with store.database.session() as session:
        session.exec(update(ConfirmationRow).values(at=time.time() - 7))
    site.readers["2"] = ONLY_PEOPLE
    assert allowed(control) == {A, C}, "7 of 10 s are too long to be used once more"


def test_what_one_may_read_says_nothing_of_another(store: EvidenceStore, site: Closable) -> None:
    site.may["user:ines"] = {"1", "2", "3"}
    site.readers |= {"1": ONLY_PEOPLE, "2": ONLY_PEOPLE, "3": ONLY_PEOPLE}
    control = replace(asking(store, site, AWARE), freshness=Freshness())
    assert allowed(control, INES) == {A, B, C}
    assert allowed(control) == set()


@pytest.mark.parametrize("reader", [EVERYBODY, INES])
def test_when_the_source_does_not_answer_nobody_knows(
    store: EvidenceStore, site: Closable, reader: Reader
) -> None:
    site.down = True
    found = asking(store, site, AWARE).check([A], reader)
    assert found.allowed == found.denied == frozenset()
    assert found.failed == {A}


def test_a_page_that_the_index_does_not_know_is_denied(
    store: EvidenceStore, site: Closable
) -> None:
    unknown, other = key("404"), PageKey("elsewhere", "1")
    found = asking(store, site).check([unknown, other], EVERYBODY)
    assert found.denied == {unknown, other}


class TestGrace:
    """A source that does not answer, and an operator who allows pages for everybody for a while."""

    @pytest.fixture
    def control(self, store: EvidenceStore, site: Closable) -> Authorizer:
        self.scanned(store, 50)
        site.down = True
        fresh = Freshness(grace_s=60, grace_spaces=frozenset({"HR"}))
        return replace(asking(store, site), freshness=fresh)

    def scanned(self, store: EvidenceStore, ago: float) -> None:
        with store.database.session() as session:
            session.exec(update(PageRow).values(scanned_at=time.time() - ago))

    def test_they_are_shown_as_of_then(self, control: Authorizer) -> None:
        found = control.check([A], EVERYBODY)
        assert found.allowed == {A}
        assert found.as_of is not None
        assert 49 < time.time() - found.as_of < 55

    def test_not_longer_than_that(self, control: Authorizer, store: EvidenceStore) -> None:
        self.scanned(store, 70)
        assert control.check([A], EVERYBODY).failed == {A}

    def test_not_in_other_spaces(self, control: Authorizer) -> None:
        other = replace(control, freshness=replace(control.freshness, grace_spaces=frozenset()))
        assert other.check([A], EVERYBODY).failed == {A}

    def test_not_for_one_person(self, control: Authorizer) -> None:
        assert control.check([A], INES).failed == {A}

    def test_not_when_the_last_that_was_heard_is_that_it_is_closed(
        self, control: Authorizer, site: Closable, store: EvidenceStore
    ) -> None:
        site.down, site.readers["1"] = False, ONLY_PEOPLE
        brief = replace(control, freshness=replace(control.freshness, valid_s=1e-6))
        assert brief.check([A], EVERYBODY).denied == {A}
        site.down = True
        assert brief.check([A], EVERYBODY).failed == {A}

    def test_not_when_it_refuses(self, control: Authorizer, site: Closable) -> None:
        site.down, site.refuses = False, True
        assert control.check([A], EVERYBODY).failed == {A}

    def test_a_witness_must_have_seen_the_page(
        self, control: Authorizer, site: Closable, store: EvidenceStore
    ) -> None:
        witness = Closable(down=True)
        with_witness = replace(control, witnesses={site.name: witness})
        assert with_witness.check([A], EVERYBODY).failed == {A}, "the index knows no spaces"
        witness.down = False
        assert with_witness.check([A], EVERYBODY).allowed == {A}
        witness.down = True
        with store.database.session() as session:
            session.exec(update(ConfirmationRow).values(at=time.time() - 30))
        assert with_witness.check([A], EVERYBODY).allowed == {A}

    def test_not_of_pages_for_some(self, control: Authorizer, store: EvidenceStore) -> None:
        with store.database.session() as session:
            for row in session.exec(select(PageRow)).all():
                row.acl_id = "few"
        assert control.check([A], EVERYBODY).failed == {A}
