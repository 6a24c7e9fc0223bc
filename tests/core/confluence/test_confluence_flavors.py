"""Cloud and Data Center keep the same promises: one set of claims, both clients, one site."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from wiki_site import (
    BANDS,
    HOME,
    LEAVE,
    LEAVE_BODY,
    NEWS,
    SALARY,
    client,
    content,
    datacenter,
    settings,
)

from core.confluence import RETRY, connect
from core.confluence.cloud import Cloud
from core.confluence.datacenter import DataCenter
from core.errors import (
    SettingsError,
    SourceNotUnderstood,
    SourceOverloaded,
    SourceRejected,
    SourceUnreachable,
)
from core.models import Page
from core.page_source import Attachment, PageSource, Space
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Person
from sandbox.http.server import running

QUICK = RETRY.new(backoff_factor=0, backoff_jitter=0)
INES, BEN = "sandbox:ines", "sandbox:ben"


@pytest.fixture(scope="module")
def wiki() -> Content:
    made = content()
    made.people[BEN] = Person(BEN, "Ben Ito", "ben@example.com")
    return made


@pytest.fixture(scope="module")
def served(wiki: Content) -> Iterator[tuple[str, Site]]:
    with running(build_app(wiki)) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def site(served: tuple[str, Site]) -> Site:
    served[1].reset()
    return served[1]


@pytest.fixture(params=["cloud", "datacenter"])
def confluence(request: pytest.FixtureRequest, served: tuple[str, Site], site: Site) -> PageSource:
    assert site is served[1]
    return (
        client(served[0])
        if request.param == "cloud"
        else connect(datacenter(served[0]), retry=QUICK)
    )


def doc(confluence: PageSource) -> Space:
    return confluence.spaces(("DOC",))[0]


def page(identifier: str, kind: str = "page") -> Page:
    return Page(id=identifier, kind=kind, space="DOC", title="", url="")


def principal(confluence: PageSource, person: Person) -> str:
    return f"user:{person.account_id if isinstance(confluence, Cloud) else person.key}"


def test_a_manifest_names_every_page_with_its_place(confluence: PageSource) -> None:
    pages = {each.page.id: each.page for each in confluence.manifest(doc(confluence))}
    assert set(pages) == {"1", "2", "3", "4", "5", "6"}
    assert (
        pages[BANDS].title,
        pages[BANDS].parent_id,
        pages[BANDS].version,
        pages[BANDS].status,
    ) == (
        "Bands of 2026",
        SALARY,
        1,
        "current",
    )
    assert (pages[HOME].owner, pages[NEWS].kind, pages[HOME].space) == (
        "Ines Carvalho",
        "blogpost",
        "DOC",
    )
    assert pages[HOME].url.endswith(
        ("/wiki/spaces/DOC/pages/1/Home", "/confluence/pages/viewpage.action?pageId=1")
    )


def test_what_is_no_page_is_named_by_cloud_and_never_listed_as_one(
    confluence: PageSource, site: Site
) -> None:
    for kind, title in (("whiteboard", "Tides"), ("whiteboard", "berths"), ("embed", "A chart")):
        site.create("DOC", title, "", kind=kind, parent_id=HOME)
    site.create("OPS", "Elsewhere", "", kind="database")
    found = confluence.unread(doc(confluence))
    expected = [("embed", "A chart"), ("whiteboard", "berths"), ("whiteboard", "Tides")]
    assert [(each.kind, each.title) for each in found] == (
        expected if isinstance(confluence, Cloud) else []
    )
    assert all("/wiki/spaces/DOC/" in each.url for each in found)
    assert len(list(confluence.manifest(doc(confluence)))) == 6


def test_labels_and_restrictions_are_in_the_listing_of_data_center_alone(
    confluence: PageSource,
) -> None:
    listed = {each.page.id: each for each in confluence.manifest(doc(confluence))}
    told = (listed[LEAVE].labels, bool(listed[SALARY].readers))
    assert told == ((None, False) if isinstance(confluence, Cloud) else (("policy",), True))
    assert confluence.labels(page(LEAVE)) == ("policy",)


def test_a_space_of_many_pages_is_listed_to_its_end(confluence: PageSource, site: Site) -> None:
    site.fill("OPS", 600)
    (space,) = confluence.spaces(("OPS",))
    listed = [each.page.id for each in confluence.manifest(space)]
    assert len(listed) == len(set(listed)) == 601


def test_bodies_are_read_and_a_page_that_is_gone_is_left_out(
    confluence: PageSource, site: Site
) -> None:
    site.purge(HOME)
    assert {
        page_id: body.text for page_id, body in confluence.bodies([page(HOME), page(LEAVE)]).items()
    } == {LEAVE: LEAVE_BODY}


@pytest.mark.parametrize(
    ("verb", "status"), [("archive", "archived"), ("trash", "trashed"), ("purge", "gone")]
)
def test_what_became_of_a_page_is_told(
    confluence: PageSource, site: Site, verb: str, status: str
) -> None:
    assert confluence.whereabouts(page(LEAVE)).space_id == doc(confluence).id
    getattr(site, verb)(LEAVE)
    assert confluence.whereabouts(page(LEAVE)).status == status


def test_a_page_that_the_account_may_not_see_is_in_no_listing_and_is_gone_when_asked_for(
    confluence: PageSource, site: Site
) -> None:
    site.blind(SALARY)
    assert {SALARY, BANDS}.isdisjoint(each.page.id for each in confluence.manifest(doc(confluence)))
    assert confluence.whereabouts(page(BANDS)).status == "gone"


def test_readers_are_principals_and_none_means_nobody_is_kept_out(
    confluence: PageSource, wiki: Content, site: Site
) -> None:
    site.restrict(LEAVE, users=[INES], groups=["people"])
    groups = confluence.groups()
    assert confluence.readers(LEAVE) == {principal(confluence, wiki.people[INES]), groups["people"]}
    assert confluence.readers(HOME) == frozenset()


def test_what_stands_above_a_page_is_told_outermost_first(confluence: PageSource) -> None:
    assert list(confluence.ancestors(page(BANDS)).items()) == [(HOME, "page"), (SALARY, "page")]


def test_who_may_see_a_space_and_who_is_in_a_group_are_told(
    confluence: PageSource, wiki: Content, site: Site
) -> None:
    site.members("people", [BEN])
    site.space_readers("DOC", users=[INES], groups=["people"])
    people = confluence.groups()["people"]
    assert confluence.space_readers(doc(confluence)) == {
        people,
        principal(confluence, wiki.people[INES]),
    }
    (ben,) = confluence.members(people)
    assert (ben.id, ben.name) == (principal(confluence, wiki.people[BEN]), "Ben Ito")
    assert [
        each.name for each in confluence.accounts([principal(confluence, wiki.people[INES])])
    ] == ["Ines Carvalho"]


def test_whether_somebody_may_read_a_page_is_the_true_rule_and_counts_at_once(
    confluence: PageSource, wiki: Content, site: Site
) -> None:
    site.members("people", [BEN])
    site.restrict(BANDS, users=[INES, BEN])  # under Salary, which is for `people`
    pages = [page(page_id) for page_id in (HOME, SALARY, BANDS)]
    for person in (wiki.people[INES], wiki.people[BEN]):
        told = confluence.visible_to(principal(confluence, person), pages, most=12)
        for page_id, may in told.items():
            assert may is wiki.may_read(person.account_id, wiki.entries[page_id])
    ben = principal(confluence, wiki.people[BEN])
    assert confluence.visible_to(ben, pages, most=12) == dict.fromkeys((HOME, SALARY, BANDS), True)
    site.members("people", [])
    assert not confluence.visible_to(ben, pages, most=12)[BANDS]
    site.space_readers("DOC", groups=["people"])
    assert not confluence.visible_to(ben, pages, most=12)[HOME]


def test_comments_and_attachments_are_read_and_a_file_that_is_too_large_is_not(
    confluence: PageSource, site: Site
) -> None:
    site.comment(LEAVE, "<p>And half days?</p>", author=INES)
    site.comment(LEAVE, "<p>Which?</p>", author=INES, kind="inline")
    site.attach(LEAVE, "rules.txt", b"Take it all.")
    site.attach(LEAVE, "rules.txt", b"Take it all!")
    assert sorted(each.body.text for each in confluence.comments(page(LEAVE))) == [
        "<p>And half days?</p>",
        "<p>Which?</p>",
    ]
    assert {
        confluence.names([each.author])[each.author] for each in confluence.comments(page(LEAVE))
    } == {"Ines Carvalho"}
    (file,) = confluence.attachments(page(LEAVE))
    assert (file.title, file.size, file.version) == ("rules.txt", 12, 2)
    assert confluence.download(file, limit=12) == b"Take it all!"
    with pytest.raises(SourceNotUnderstood, match="larger than the 11 bytes"):
        confluence.download(file, limit=11)


def test_a_listing_that_is_too_heavy_is_asked_for_in_halves_and_the_rest_of_it_too(
    confluence: PageSource, site: Site
) -> None:
    site.fill("OPS", 300)
    (space,) = confluence.spaces(("OPS",))
    site.fault(
        path_contains="/content/scan" if isinstance(confluence, DataCenter) else "/pages",
        status=500,
        times=6,
    )
    assert sum(1 for _ in confluence.manifest(space)) == 301
    limits = [
        part
        for each in site.received()
        for part in each["query"].split("&")
        if part.startswith("limit=")
    ]
    first = "200" if isinstance(confluence, DataCenter) else "250"
    half = "100" if isinstance(confluence, DataCenter) else "125"
    assert f"limit={first}" in limits
    assert limits.count(f"limit={half}") >= 3


def test_a_site_that_fails_however_little_is_asked_is_an_error_in_the_end(
    confluence: PageSource, site: Site
) -> None:
    space = doc(confluence)
    site.fault(
        path_contains="/content/scan" if isinstance(confluence, DataCenter) else "/pages",
        status=503,
        times=999,
    )
    with pytest.raises(SourceOverloaded, match="503"):
        list(confluence.manifest(space))


@pytest.mark.parametrize(("cap", "no_scan"), [(1000, 404), (1000, 400), (7, 404)])
def test_a_data_center_without_scan_or_with_small_replies_is_listed_all_the_same(
    cap: int, no_scan: int
) -> None:
    app = build_app(content(), has_scan=cap == 7, no_scan=no_scan, cap=cap)
    with running(app) as url, Site(url) as site:
        site.fill("OPS", 45)
        older = connect(datacenter(url), retry=QUICK)
        assert sum(1 for _ in older.manifest(older.spaces(("OPS",))[0])) == 46
        without = [
            each["path"]
            for each in site.received()
            if each["path"].endswith("/rest/api/content/scan")
        ]
        assert len(without) >= 1


def test_a_scan_that_breaks_off_is_an_error_and_not_listed_twice() -> None:
    with running(build_app(content(), cap=7)) as url, Site(url) as site:
        site.fill("OPS", 45)
        confluence = connect(datacenter(url), retry=QUICK)
        listed = confluence.manifest(confluence.spaces(("OPS",))[0])
        next(listed)
        site.fault(path_contains="/content/scan", status=400, times=99)
        with pytest.raises(SourceRejected, match="400"):
            list(listed)


def test_a_429_makes_everybody_wait_and_then_go_on_slowly(
    served: tuple[str, Site], site: Site
) -> None:
    confluence = connect(settings(served[0], confluence_requests_per_second=100), retry=QUICK)
    site.fault(path_contains="/labels", status=429, retry_after=1)
    began = time.monotonic()
    threads = [threading.Thread(target=confluence.labels, args=(page(LEAVE),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    while not any(each["path"].endswith("/labels") for each in site.received()):
        time.sleep(0.01)
    time.sleep(0.2)  # for the reply to arrive
    confluence.readers(HOME)  # another request, of another kind, asked for during the wait
    assert time.monotonic() - began >= 1
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"confluence_flavor": "cloud"}, Cloud),
        ({"confluence_flavor": "datacenter"}, DataCenter),
        ({"confluence_username": "a@example.com"}, Cloud),
        (
            {
                "confluence_url": "https://example.atlassian.net/wiki",
                "confluence_username": "a@example.com",
            },
            Cloud,
        ),
        (
            {
                "confluence_url": "https://api.atlassian.com/ex/confluence/1/wiki",
                "confluence_username": "a@example.com",
            },
            Cloud,
        ),
    ],
)
def test_the_flavor_is_what_the_settings_and_the_address_say(
    given: dict[str, str], kind: type
) -> None:
    place = {"confluence_url": "http://127.0.0.1:1", "confluence_username": "a@example.com"}
    assert type(connect(settings("http://127.0.0.1:1", **(place | given)), retry=QUICK)) is kind


def test_without_an_email_a_site_that_answers_as_data_center_is_one(
    served: tuple[str, Site], site: Site
) -> None:
    assert site is not None
    assert isinstance(connect(datacenter(served[0]), retry=QUICK), DataCenter)


def test_without_an_email_a_site_that_does_not_answer_as_data_center_is_a_wrong_setting(
    served: tuple[str, Site],
) -> None:
    with pytest.raises(
        SettingsError, match=r"CONFLUENCE_USERNAME is empty.*Cloud set CONFLUENCE_USERNAME"
    ):
        connect(settings(served[0], confluence_username=""), retry=QUICK)


def test_a_cloud_address_that_is_called_data_center_is_a_wrong_setting() -> None:
    with pytest.raises(SettingsError, match=r"example\.atlassian\.net/wiki is Confluence Cloud"):
        connect(
            settings(
                "",
                confluence_url="https://example.atlassian.net/wiki",
                confluence_flavor="datacenter",
            )
        )


def test_links_for_people_lead_to_the_site_and_never_to_the_gateway() -> None:
    item = {
        "id": "1",
        "title": "T",
        "status": "current",
        "version": {"number": 1},
        "_links": {"webui": "/spaces/DOC/pages/1/T"},
    }
    links = {"base": "https://example.atlassian.net/wiki"}

    async def reply(request: Request) -> Response:
        return JSONResponse(
            {"results": [item] if request.url.path.endswith("/pages") else [], "_links": links}
        )

    with running(Starlette(routes=[Route("/{any:path}", reply, methods=["GET", "POST"])])) as url:
        gateway = connect(settings(url, confluence_url=f"{url}/ex/confluence/1/wiki"), retry=QUICK)
        (listed,) = gateway.manifest(Space("7", "DOC"))
    assert listed.page.url == "https://example.atlassian.net/wiki/spaces/DOC/pages/1/T"


@pytest.mark.parametrize("make", [settings, datacenter])
def test_the_token_does_not_follow_a_redirect_to_another_host(make: Callable[..., Any]) -> None:
    seen: list[str | None] = []

    async def elsewhere(request: Request) -> Response:
        seen.append(request.headers.get("authorization"))
        return Response(b"file")

    with running(Starlette(routes=[Route("/{any:path}", elsewhere)])) as other:

        async def redirect(_: Request) -> Response:
            return RedirectResponse(other.replace("127.0.0.1", "localhost") + "/media/file", 302)

        with running(Starlette(routes=[Route("/{any:path}", redirect)])) as url:
            flavor = "datacenter" if make is datacenter else "cloud"
            named = other.rpartition("/")[2].replace("127.0.0.1", "localhost")
            chosen = make(url, confluence_flavor=flavor, confluence_file_hosts=named)
            confluence = connect(chosen, retry=QUICK)
            assert (
                confluence.download(Attachment("1", "a", "", 4, 1, "/download/a"), limit=10)
                == b"file"
            )
    assert seen == [None]


def test_an_error_of_the_connection_does_not_quote_what_was_sent() -> None:
    with pytest.raises(SourceUnreachable) as caught:
        connect(settings("http://127.0.0.1:1"), retry=QUICK).spaces(("*",))
    assert "sandbox-token" not in str(caught.value)
