"""Labels and restrictions of many pages in one request: how few, and when they are not believed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs
from wiki_site import HOME, LEAVE, NEWS, TRAVEL, Wiki, client, content

from core.evidence import EvidenceStore
from core.models import Page
from core.page_source import BODIES
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Entry
from sandbox.http.server import running

MANY = 120
SECRET = "1110"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    few = content()
    more = [
        Entry(
            str(1000 + n),
            "DOC",
            f"Berth {n}",
            f"<p>Berth {n} is {n} metres long.</p>",
            labels=["berth"],
        )
        for n in range(MANY)
    ]
    site = Content([*few.entries.values(), *more], list(few.people.values()), {})
    with running(build_app(site)) as url, Site(url) as client:
        yield url, client


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(url, site, store)


def record(wiki: Wiki, page_id: str) -> Page:
    return Page.model_validate(wiki.row(page_id).record)


def alone(wiki: Wiki) -> int:
    """Requests for the restriction or the labels of one page."""
    paths = [request["path"] for request in wiki.site.received()]
    return sum(path.endswith(("/restriction/byOperation/read", "/labels")) for path in paths)


def test_a_first_sync_asks_one_request_for_fifty_pages_and_one_page_of_them_again(
    wiki: Wiki,
) -> None:
    wiki.site.restrict(SECRET, users=["sandbox:ines"])
    counts = wiki.sync()
    assert counts.scanned > MANY
    assert alone(wiki) <= 2 * (counts.scanned / BODIES + 1)
    assert SECRET not in wiki.visible()
    assert "1111" in wiki.visible()
    assert record(wiki, "1111").labels == ("berth",)


def test_a_page_that_an_index_still_shows_open_stays_closed(wiki: Wiki) -> None:
    wiki.sync()
    wiki.site.search_lag(3600)
    wiki.site.restrict(SECRET, users=["sandbox:ines"])
    wiki.later(scanned_at=0.0)
    wiki.site.search_lag(0)
    wiki.sync()
    assert SECRET not in wiki.visible()
    wiki.site.search_lag(3600)  # from now on it shows the page as before
    wiki.later(scanned_at=0.0)
    with capture_logs() as said:
        wiki.sync()
    assert SECRET not in wiki.visible()
    assert [line["page"] for line in said if line["event"] == "scan.contradicted"] == [SECRET]


@pytest.mark.parametrize("answer", [{"status": 400}, {"status": 410}, {"garbage": True}])
def test_where_the_search_does_not_tell_each_page_is_asked(
    wiki: Wiki, answer: dict[str, object]
) -> None:
    wiki.site.restrict(SECRET, users=["sandbox:ines"])
    wiki.site.fault(path_contains="content/search", times=99, **answer)
    counts = wiki.sync()
    assert alone(wiki) >= 2 * MANY
    assert counts.failed == 0
    assert SECRET not in wiki.visible()
    assert "1111" in wiki.visible()


def test_a_page_edited_lately_is_asked_alone(wiki: Wiki) -> None:
    wiki.sync()
    wiki.site.edit(LEAVE, "<p>Everybody has 30 days of leave.</p>")
    before = alone(wiki)
    wiki.sync()
    assert alone(wiki) == before + 2


def test_a_list_of_readers_that_may_be_cut_short_is_read_alone(wiki: Wiki) -> None:
    wiki.site.restrict(SECRET, users=[f"sandbox:{n}" for n in range(250)])
    wiki.sync()
    pages = [record(wiki, each) for each in (HOME, TRAVEL, NEWS)]
    secret = Page(id=SECRET, space="DOC", title="", url="")
    assert client(wiki.url).scanned([*pages, secret]).keys() == {HOME, TRAVEL, NEWS}
