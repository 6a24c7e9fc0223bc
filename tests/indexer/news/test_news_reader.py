"""News: told pages are read at once, by themselves, and the next sync finds nothing left to do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlmodel import select
from wiki import key
from wiki_site import (
    BANDS,
    CHILDREN,
    HOME,
    LEAVE,
    LEAVE_BODY,
    NEWS,
    OPS,
    SALARY,
    TRAVEL,
    Wiki,
    content,
    datacenter,
    settings,
)

from core.access import page_news
from core.confluence import RETRY, connect
from core.evidence import EvidenceStore
from core.jobs.leases import lease
from core.pages import CONFLUENCE
from core.policy.acl import DENIED_ID, OPEN_ID
from core.storage.index_tables import EmbeddingRow
from indexer.news.fast_path import FastPath
from indexer.news.loop import NewsLoop
from indexer.news.reader import NewsReader
from indexer.sync.scheduler import Round, SyncScheduler
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture(params=["cloud", "datacenter"])
def flavor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(url, site, store)


def synced(wiki: Wiki, flavor: str = "cloud", **more: Any) -> Round:
    """A complete sync by a scheduler; what news is read with afterwards."""
    make = settings if flavor == "cloud" else datacenter
    chosen = make(wiki.url, **more)
    quick = RETRY.new(backoff_factor=0, backoff_jitter=0)
    scheduler = SyncScheduler(chosen, connect(chosen, retry=quick), wiki.store)
    assert scheduler.sync(allow_shrink=False)
    assert scheduler.latest is not None
    return scheduler.latest


def tell(wiki: Wiki, *page_ids: str) -> None:
    page_news.tell(wiki.store.database, [key(each) for each in page_ids])


def waiting(wiki: Wiki) -> set[str]:
    return set(page_news.waiting(wiki.store.database, CONFLUENCE, most=99))


def read(latest: Round, wiki: Wiki, *page_ids: str) -> None:
    """Tell these and read all that waits, until nothing does."""
    tell(wiki, *page_ids)
    reader = NewsReader()
    for _ in range(4):
        reader.read(latest)
    assert waiting(wiki) == set()


def embeddings(wiki: Wiki) -> int:
    with wiki.store.database.reading() as session:
        return len(session.exec(select(EmbeddingRow)).all())


def test_an_edited_page_is_read_at_once_and_no_listing_is(wiki: Wiki, flavor: str) -> None:
    latest = synced(wiki, flavor)
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
    before = len(wiki.site.received())
    read(latest, wiki, LEAVE)
    assert "31 days" in "".join(wiki.evidence(LEAVE))
    asked = wiki.site.received()[before:]
    assert not [each for each in asked if "space-id" in each["query"] or "/scan" in each["path"]]
    assert len(asked) <= 8


def test_a_new_page_is_found_and_named_by_its_parent(wiki: Wiki, flavor: str) -> None:
    latest = synced(wiki, flavor)
    made = wiki.site.create("DOC", "Canteen", "<p>Soup at noon.</p>", parent_id=HOME)["id"]
    read(latest, wiki, made)
    assert wiki.evidence(made) == ["Soup at noon."]
    assert "Canteen" in "".join(wiki.evidence(HOME))


def test_a_restriction_counts_at_once_for_the_page_its_title_and_all_under_it(
    wiki: Wiki, flavor: str
) -> None:
    wiki.site.move(TRAVEL, parent_id=LEAVE)
    latest = synced(wiki, flavor)
    vectors = embeddings(wiki)
    wiki.site.restrict(LEAVE, groups=["people"])
    read(latest, wiki, LEAVE)
    assert wiki.visible() == {HOME, NEWS, OPS}
    assert "Leave" not in wiki.all_evidence()
    assert embeddings(wiki) == vectors

    wiki.site.unrestrict(LEAVE)
    read(latest, wiki, LEAVE)
    assert {LEAVE, TRAVEL} <= wiki.visible()
    assert embeddings(wiki) == vectors, "what was embedded once is not embedded again"


def test_a_page_moved_under_a_restricted_one_is_closed_with_all_under_it(
    wiki: Wiki, flavor: str
) -> None:
    wiki.site.move(TRAVEL, parent_id=LEAVE)
    latest = synced(wiki, flavor)
    wiki.site.move(LEAVE, parent_id=SALARY)
    read(latest, wiki, LEAVE)
    assert wiki.visible() == {HOME, NEWS, OPS}
    wiki.site.move(LEAVE, parent_id=HOME)
    read(latest, wiki, LEAVE)
    assert {LEAVE, TRAVEL} <= wiki.visible()


def test_a_page_moved_to_another_space_is_found_there(wiki: Wiki, flavor: str) -> None:
    latest = synced(wiki, flavor)
    wiki.site.move(TRAVEL, space="OPS")
    read(latest, wiki, TRAVEL)
    assert wiki.row(TRAVEL).space == "OPS"
    assert "Travel" not in "".join(wiki.evidence(HOME))
    wiki.site.move(TRAVEL, space="OLD")
    read(latest, wiki, TRAVEL)
    assert TRAVEL not in wiki.visible()


@pytest.mark.parametrize("verb", ["trash", "purge", "archive", "blind"])
def test_a_page_that_is_gone_is_hidden_at_once(wiki: Wiki, flavor: str, verb: str) -> None:
    latest = synced(wiki, flavor)
    getattr(wiki.site, verb)(LEAVE)
    read(latest, wiki, LEAVE)
    assert LEAVE not in wiki.visible()
    assert "Leave" not in wiki.all_evidence()
    if verb in ("trash", "archive"):
        wiki.site.restore(LEAVE)
        read(latest, wiki, LEAVE)
        assert LEAVE in wiki.visible()


def test_labels_and_a_new_title_are_taken_over(wiki: Wiki, flavor: str) -> None:
    wiki.site.move(TRAVEL, parent_id=LEAVE)
    latest = synced(wiki, flavor)
    wiki.site.labels(LEAVE, ["draft"])
    read(latest, wiki, LEAVE)
    assert wiki.row(LEAVE).record["labels"] == ["draft"]
    wiki.site.rename(LEAVE, "Holidays")
    read(latest, wiki, LEAVE)
    assert wiki.row(LEAVE).title == "Holidays"
    assert wiki.row(TRAVEL).record["breadcrumbs"] == ["Home", "Holidays"]
    assert "Holidays" in "".join(wiki.evidence(HOME))


def test_news_of_pages_that_are_none_of_ours_is_dropped(wiki: Wiki, flavor: str) -> None:
    latest = synced(wiki, flavor)
    before = wiki.visible()
    read(latest, wiki, "30", "999999")  # of a space that is not configured, and of none
    assert wiki.visible() == before


def test_news_of_a_page_that_cannot_be_read_stays(wiki: Wiki) -> None:
    latest = synced(wiki)
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
    tell(wiki, LEAVE)
    wiki.site.fault(path_contains="/restriction/", status=500, times=50)
    NewsReader().read(latest)
    assert waiting(wiki) == {LEAVE}, "nobody knows who may read it"
    assert LEAVE not in wiki.visible() or wiki.row(LEAVE).acl_id == DENIED_ID
    wiki.site.reset()
    read(latest, wiki)
    assert wiki.row(LEAVE).acl_id == OPEN_ID


def test_a_page_that_a_short_reply_lacks_is_neither_hidden_nor_forgotten(wiki: Wiki) -> None:
    latest = synced(wiki)
    tell(wiki, LEAVE)
    wiki.site.fault(path_contains="/api/v2/pages", empty=True)
    NewsReader().read(latest)
    assert LEAVE in wiki.visible()
    assert waiting(wiki) == {LEAVE}


def test_a_full_sync_that_goes_on_does_not_keep_a_page_from_being_closed(
    wiki: Wiki, flavor: str
) -> None:
    wiki.site.move(TRAVEL, parent_id=LEAVE)
    latest = synced(wiki, flavor)
    reader = NewsReader()
    with lease(wiki.store.database, "indexer:confluence:DOC"):
        wiki.site.restrict(LEAVE, groups=["people"])
        tell(wiki, LEAVE)
        reader.read(latest)
        for closed in (LEAVE, TRAVEL):
            assert wiki.row(closed).acl_id == DENIED_ID
        # the sync, which listed the page before, shows it again
        wiki.store.set_acl([key(LEAVE)], before=DENIED_ID, now=OPEN_ID)
        reader.read(latest)
        assert wiki.row(LEAVE).acl_id == DENIED_ID
        assert waiting(wiki) == {LEAVE}
        assert wiki.row(HOME).acl_id == OPEN_ID
    reader.read(latest)
    assert waiting(wiki) == set()
    assert not {LEAVE, TRAVEL} & wiki.visible()


def test_a_full_sync_that_goes_on_does_not_have_an_edited_page_closed(wiki: Wiki) -> None:
    latest = synced(wiki)
    reader = NewsReader()
    with lease(wiki.store.database, "indexer:confluence:DOC"):
        wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
        wiki.site.edit(OPS, "<p>Eva is on call.</p>")
        tell(wiki, LEAVE, OPS)
        reader.read(latest)
        assert wiki.row(LEAVE).acl_id == OPEN_ID
        assert wiki.evidence(OPS) == ["Eva is on call."], "another space is not held up"
        assert waiting(wiki) == {LEAVE}
    reader.read(latest)
    assert "31 days" in "".join(wiki.evidence(LEAVE))


def test_the_fast_path_tells_what_was_edited_and_nothing_else(wiki: Wiki, flavor: str) -> None:
    latest = synced(wiki, flavor)
    path = FastPath()
    path.ask(latest)
    assert waiting(wiki) == set()
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
    made = wiki.site.create("OPS", "Pager", "<p>It rings.</p>")["id"]
    elsewhere = wiki.site.create("OLD", "Cellar", "<p>Wine.</p>")["id"]
    path.ask(latest)
    assert waiting(wiki) == {LEAVE, made}
    read(latest, wiki)
    path.ask(latest)
    assert waiting(wiki) == set()
    assert elsewhere not in wiki.visible()


def test_the_fast_path_moves_no_watermark_and_removes_nothing(wiki: Wiki) -> None:
    latest = synced(wiki)
    before = wiki.visible()
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
    wiki.site.fault(path_contains="/content/search", empty=True)
    FastPath().ask(latest)  # an index that lags behind finds nothing
    assert wiki.visible() == before
    wiki.sync("DOC")
    assert "31 days" in "".join(wiki.evidence(LEAVE))


def test_what_is_told_is_read_also_when_nobody_says_what_was_edited(wiki: Wiki) -> None:
    chosen = settings(wiki.url)
    quick = RETRY.new(backoff_factor=0, backoff_jitter=0)
    scheduler = SyncScheduler(chosen, connect(chosen, retry=quick), wiki.store)
    scheduler.sync(allow_shrink=False)
    assert scheduler.latest is not None
    loop = NewsLoop(scheduler, every_s=0.01)
    time.sleep(0.02)
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
    tell(wiki, LEAVE)
    wiki.site.fault(path_contains="/content/search", login_page=True)
    loop.turn(scheduler.latest)
    assert "31 days" in "".join(wiki.evidence(LEAVE))
    wiki.site.edit(TRAVEL, "<p>Trains only.</p>")
    time.sleep(0.02)
    loop.turn(scheduler.latest)  # asked again, since the last answer was none
    assert wiki.evidence(TRAVEL) == ["Trains only."]


def test_more_pages_than_one_reply_shows_are_all_told(wiki: Wiki, flavor: str) -> None:
    latest = synced(wiki, flavor)
    wiki.site.fill("DOC", 450, is_new=True)
    FastPath().ask(latest)
    told = page_news.waiting(wiki.store.database, CONFLUENCE, most=999)
    assert len(told) >= 450


def test_the_same_news_twice_costs_nothing_the_second_time(wiki: Wiki) -> None:
    latest = synced(wiki)
    wiki.site.edit(BANDS, f"<p>Other bands.</p>{CHILDREN}")
    read(latest, wiki, BANDS, LEAVE)
    before = wiki.bodies_asked()
    read(latest, wiki, BANDS, LEAVE)
    assert wiki.bodies_asked() == before
