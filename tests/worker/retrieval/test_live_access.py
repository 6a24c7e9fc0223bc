"""Access control at query time: what was revoked a moment ago counts at once, and doubt denies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asking import authorizer
from wiki import hit, page, piece
from wiki_site import BANDS, HOME, LEAVE, SALARY, Wiki, client, content

from core.evidence import EvidenceStore
from core.models import Copy
from core.policy.acl import EVERYBODY, Reader
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Person
from sandbox.http.server import running
from worker.retrieval.live_access import Confirmed, LiveAccess

INES = Reader(frozenset(), "user:sandbox:ines")
HITS = [
    hit("Days.", page(LEAVE, parent_id=HOME)),
    hit("Bands.", page(BANDS, parent_id=SALARY)),
    hit("Welcome.", page(HOME)),
]


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    made = content()
    made.people["sandbox:ben"] = Person("sandbox:ben", "Ben")
    with running(build_app(made)) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    """An index in which Salary is open; since then it was restricted."""
    url, site = served
    site.reset()
    site.unrestrict(SALARY)
    wiki = Wiki(
        url, site, store, {"permission_mode": "aware", "confluence_everybody": "confluence-users"}
    )
    wiki.sync()
    site.restrict(SALARY, groups=["people"])
    return wiki


@pytest.fixture
def confirmer(wiki: Wiki) -> LiveAccess:
    return LiveAccess(authorizer(wiki.store.database, client(wiki.url)))


def pages(confirmed: Confirmed) -> list[str]:
    return [each.page.id for each in confirmed.hits]


def test_for_everybody_neither_the_page_nor_anything_above_it_may_be_restricted_now(
    confirmer: LiveAccess,
) -> None:
    assert pages(confirmer.confirmed(HITS, EVERYBODY)) == [LEAVE, HOME]


def test_for_one_person_the_true_rule_is_asked(confirmer: LiveAccess, wiki: Wiki) -> None:
    assert pages(confirmer.confirmed(HITS, INES)) == [LEAVE, HOME]
    wiki.site.members("people", ["sandbox:ines"])
    assert pages(confirmer.confirmed(HITS, INES)) == [LEAVE, BANDS, HOME]
    wiki.site.space_readers("DOC", users=["sandbox:ben"])
    assert pages(confirmer.confirmed(HITS, INES)) == []


def test_a_piece_that_names_other_pages_is_used_only_when_those_are_confirmed_too(
    confirmer: LiveAccess,
) -> None:
    naming = hit(piece("Child pages: Salary", HOME, acl_id="few", names=(SALARY,)), page(HOME))
    assert confirmer.confirmed([naming], INES).hits == ()
    assert (
        confirmer.confirmed(
            [
                naming.model_copy(
                    update={"evidence": piece("Child pages: Leave", HOME, names=(LEAVE,))}
                )
            ],
            INES,
        ).hits
        != ()
    )


@pytest.mark.parametrize("reader", [EVERYBODY, INES])
@pytest.mark.parametrize(
    "fault", [{"status": 500}, {"status": 403}, {"login_page": True}, {"garbage": True}]
)
def test_what_cannot_be_confirmed_is_not_used(
    confirmer: LiveAccess, wiki: Wiki, reader: Reader, fault: dict[str, object]
) -> None:
    wiki.site.fault(path_contains="/content/", times=99, **fault)
    assert confirmer.confirmed(HITS, reader) == Confirmed((), unchecked=True)


def test_a_page_that_was_moved_below_a_restricted_one_since_the_last_sync_is_not_used(
    confirmer: LiveAccess, wiki: Wiki
) -> None:
    wiki.site.move(LEAVE, parent_id=SALARY)
    assert pages(confirmer.confirmed(HITS, EVERYBODY)) == [HOME]


def test_a_copy_speaks_for_a_page_that_may_not_be_read_any_more(confirmer: LiveAccess) -> None:
    bands, leave = HITS[1], HITS[0]
    both = bands.model_copy(update={"copies": (Copy(evidence=leave.evidence, page=leave.page),)})
    (left,) = confirmer.confirmed([both], EVERYBODY).hits
    assert (left.page.id, left.evidence, left.copies) == (LEAVE, leave.evidence, ())
    other_way = leave.model_copy(
        update={"copies": (Copy(evidence=bands.evidence, page=bands.page),)}
    )
    assert confirmer.confirmed([other_way], EVERYBODY).hits == (leave,)
