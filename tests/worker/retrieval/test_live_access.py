"""Access control at query time: what was revoked a moment ago counts at once, and doubt denies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asking import authorizer
from wiki import hit, page, piece, searching
from wiki_site import BANDS, HOME, LEAVE, SALARY, TRAVEL, Wiki, client, content

from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.models import Copy
from core.policy.acl import EVERYBODY, Reader
from core.storage import clock
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Person
from sandbox.http.server import running
from worker.extractive.extractor import Extractor
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.expand import TableExpander
from worker.retrieval.live_access import Confirmed, LiveAccess
from worker.retrieval.retriever import Retriever

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
    confirmed = confirmer.confirmed(HITS, reader)
    assert (confirmed.hits, confirmed.unchecked) == ((), True)
    assert confirmer.widened(confirmed, (), reader).unchecked


def test_what_was_confirmed_is_not_lost_while_what_stands_beside_it_is_asked_about(
    confirmer: LiveAccess,
) -> None:
    # The freshness of these tests has everything asked anew, and one request confirms no page.
    confirmed = confirmer.confirmed(HITS, EVERYBODY)
    beside = hit("Nothing else.", page(TRAVEL, parent_id=HOME))
    wider = (*confirmed.hits, HITS[1], beside)
    assert pages(confirmer.widened(confirmed, wider, EVERYBODY)) == [LEAVE, HOME]


def test_an_answer_is_made_from_what_an_answer_before_it_had_confirmed(
    wiki: Wiki, confirmer: LiveAccess, extractor: Extractor
) -> None:
    """As when somebody follows it up at the moment at which a confirmation grows too old."""
    pipeline = Pipeline(
        Completer(None),
        Retriever(searching(wiki.store)),
        confirmer,
        Generator(None, extractor),
        widener=TableExpander(Blocks(wiki.store.database)),
    )
    record = pipeline.answer("How many days of leave are there?", [], deadline=clock.now() + 60)
    assert "28 days of leave" in record.answer.text


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
