"""The witness's eyes and those of a linked account, on good days and on bad ones."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import anyio
import pytest
from accounts_site import (
    BANDS,
    INES,
    LEAVE,
    SALARY,
    TOKEN,
    WITNESS,
    chosen,
    content,
    principal,
    reset,
    synced,
)
from confluence_answers import answering_by
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from wiki_site import datacenter, settings

from core.confluence import connect, connect_live, viewer_of, witness
from core.confluence.pace import LIVE_RETRY
from core.errors import (
    SettingsError,
    SourceError,
    SourceNotUnderstood,
    SourceOverloaded,
    SourceRefused,
    SourceUnreachable,
)
from core.models import Page
from core.page_source import PageSource, Viewer
from core.pages import PageKind
from sandbox.confluence.app import ACCESS_TOKEN, USERNAME, build_app
from sandbox.confluence.app import TOKEN as INDEXERS
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Person
from sandbox.http.server import running

FLAVORS = pytest.mark.parametrize("flavor", ["cloud", "datacenter"])
PAGES = [Page(id="1", space="DOC", title="", url=""), Page(id="2", space="DOC", title="", url="")]
VERBS: dict[str, Callable[[PageSource], object]] = {
    "visible": lambda source: source.visible(PAGES, most=12),
    "visible_to": lambda source: source.visible_to("user:1", PAGES, most=12),
    "paths": lambda source: source.paths(PAGES, most=12),
}


@pytest.fixture(scope="module")
def wiki() -> Content:
    return content()


@pytest.fixture(scope="module")
def served(wiki: Content) -> Iterator[tuple[str, Site]]:
    with running(build_app(wiki)) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def site(served: tuple[str, Site]) -> Site:
    reset(served[1])
    return served[1]


def eyes(flavor: str, url: str) -> Viewer:
    found = witness(chosen(flavor, url))
    assert found is not None
    return found


@FLAVORS
def test_without_a_witness_there_are_no_eyes(flavor: str) -> None:
    url = "http://127.0.0.1:1"
    given = settings(url) if flavor == "cloud" else datacenter(url)
    assert witness(given) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"confluence_witness_token": INDEXERS}, "account that reads the site"),
        (
            {"confluence_witness_username": USERNAME.upper(), "confluence_witness_token": "x"},
            "account that reads the site",
        ),
        ({"confluence_witness_username": "w@example.com"}, "CONFLUENCE_WITNESS_TOKEN"),
        ({"confluence_witness_token": "x"}, "CONFLUENCE_WITNESS_USERNAME"),
    ],
)
def test_half_a_witness_and_one_that_is_the_indexer_are_wrong_settings(
    given: dict[str, str], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        witness(settings("http://127.0.0.1:1", **given))


def test_on_data_center_the_witness_has_another_token_than_the_indexer() -> None:
    given = datacenter("http://127.0.0.1:1", confluence_witness_token=ACCESS_TOKEN)
    with pytest.raises(SettingsError, match="CONFLUENCE_WITNESS_TOKEN"):
        witness(given)


@FLAVORS
def test_a_witness_whose_token_was_revoked_is_an_error_that_names_its_settings(
    flavor: str, served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    found, pages = eyes(flavor, served[0]), synced(wiki, [LEAVE])
    assert found.visible(pages, most=12) == {LEAVE: True}
    assert found.requests == 1
    site.revoke_token(TOKEN)
    with pytest.raises(SourceRefused, match="CONFLUENCE_WITNESS_TOKEN"):
        found.visible(pages, most=12)


@FLAVORS
def test_a_linked_account_sees_what_its_person_may_see(
    flavor: str, served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    url, pages = served[0], synced(wiki, [LEAVE, BANDS])
    site.give_token(INES, "of-ines")
    base = f"{url}/ex/confluence/1/wiki" if flavor == "cloud" else f"{url}/confluence"
    linked = viewer_of(chosen(flavor, url), base, "of-ines")
    assert linked.visible(pages, most=12) == {LEAVE: True, BANDS: True}
    site.restrict(SALARY, groups=["staff"])
    assert linked.visible(pages, most=12) == {LEAVE: True, BANDS: False}
    site.revoke_token("of-ines")
    with pytest.raises(SourceRefused, match="linked account") as refused:
        linked.visible(pages, most=12)
    assert "of-ines" not in str(refused.value)


def test_a_token_of_oauth_works_at_the_gateway_alone(
    served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    site.give_token(INES, "of-ines")
    straight = viewer_of(chosen("cloud", served[0]), f"{served[0]}/wiki", "of-ines")
    with pytest.raises(SourceRefused):
        straight.visible(synced(wiki, [LEAVE]), most=12)


def test_who_may_not_ask_for_others_is_refused_and_nobody_is_shut_out_by_that(
    served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    assert site is served[1]
    wits = {"confluence_username": "wit@example.com", "confluence_token": TOKEN}
    source = connect_live(settings(served[0], **wits))
    with pytest.raises(SourceRefused):
        source.visible_to(f"user:{INES}", synced(wiki, [LEAVE]), most=12)


@FLAVORS
def test_one_failure_is_tried_again(
    flavor: str, served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    found = eyes(flavor, served[0])
    for status in (500, 503, 429):
        site.fault(path_contains="/rest/api/content" if flavor != "cloud" else "/v2", status=status)
        assert found.visible(synced(wiki, [LEAVE]), most=12) == {LEAVE: True}


@FLAVORS
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"status": 500}, SourceUnreachable),
        ({"status": 429, "retry_after": 0}, SourceUnreachable),
        ({"status": 401}, SourceRefused),
        ({"status": 403}, SourceRefused),
        ({"login_page": True}, SourceNotUnderstood),
        ({"garbage": True}, SourceNotUnderstood),
        ({"truncate": True}, SourceNotUnderstood),
        ({"drop": True}, SourceUnreachable),
    ],
    ids=str,
)
def test_what_is_no_answer_is_an_error_of_every_verb_and_never_a_no(
    flavor: str,
    served: tuple[str, Site],
    site: Site,
    wiki: Content,
    fault: dict[str, Any],
    error: type[SourceError],
) -> None:
    source, found = connect_live(chosen(flavor, served[0])), eyes(flavor, served[0])
    pages = synced(wiki, [LEAVE, BANDS])
    account = principal(flavor, wiki.people[WITNESS])
    verbs: list[Callable[[], object]] = [
        lambda: found.visible(pages, most=12),
        lambda: source.visible_to(account, pages, most=12),
        lambda: source.paths(pages, most=12),
    ]
    site.fault(times=9999, **fault)
    for ask in verbs:
        with pytest.raises(error):
            ask()


@FLAVORS
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "reply",
    [
        JSONResponse({}),
        JSONResponse({"results": None}),
        JSONResponse([]),
        HTMLResponse("<h1>Not here</h1>", 404),
    ],
    ids=["nothing", "no results", "a list", "a proxy's 404"],
)
def test_a_reply_that_says_nothing_of_the_pages_is_no_no(
    flavor: str, verb: str, reply: Response
) -> None:
    with answering_by(lambda _: reply, flavor) as source, pytest.raises(SourceError):
        VERBS[verb](source)


@FLAVORS
def test_a_site_that_is_slow_is_an_error_in_the_stated_time(
    flavor: str, served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    given = chosen(flavor, served[0])
    source = connect(given, retry=LIVE_RETRY, timeout_s=1)
    site.fault(delay_s=2.5, times=2)
    began = time.monotonic()
    with pytest.raises(SourceOverloaded, match="longer than 1 s"):
        source.visible(synced(wiki, [LEAVE]), most=12)
    assert time.monotonic() - began < 2


@FLAVORS
def test_a_reply_that_drips_in_is_an_error_in_the_stated_time(flavor: str) -> None:
    async def drops() -> AsyncIterator[bytes]:
        for _ in range(12):
            yield b" "
            await anyio.sleep(0.2)

    async def drip(_: Request) -> Response:
        return StreamingResponse(drops(), media_type="application/json")

    with running(Starlette(routes=[Route("/{any:path}", drip)])) as url:
        kind = {"confluence_flavor": flavor}
        given = settings(url, **kind) if flavor == "cloud" else datacenter(url, **kind)
        source = connect(given, retry=LIVE_RETRY, timeout_s=1)
        began = time.monotonic()
        with pytest.raises(SourceOverloaded, match="longer than 1 s"):
            source.visible(PAGES, most=12)
        assert time.monotonic() - began < 1.8


def shown(*ids: str, **more: Any) -> dict[str, Any]:
    listed = [{"id": each, "status": "current", "parentId": None} for each in ids]
    return {"results": [each | {"spaceId": "7"} | more for each in listed]}


def test_a_reply_that_was_cut_short_is_asked_for_the_rest() -> None:
    asked: list[str] = []

    def reply(request: Request) -> Response:
        asked.append(request.query_params["id"])
        first = shown("1") | {"_links": {"next": "/x?cursor=a"}}
        return JSONResponse(first if len(asked) == 1 else shown("2"))

    with answering_by(reply) as source:
        assert source.visible(PAGES, most=12) == {"1": True, "2": True}
    assert asked == ["1,2", "2"]


def test_of_a_reply_that_was_cut_short_nothing_is_concluded_without_another_request() -> None:
    first = shown("1") | {"_links": {"next": "/x?cursor=a"}}
    with answering_by(lambda _: JSONResponse(first)) as source:
        assert source.visible(PAGES, most=1) == {"1": True}


def test_a_reply_that_leads_on_and_shows_nothing_is_an_error() -> None:
    empty = {"results": [], "_links": {"next": "/x?cursor=a"}}
    with (
        answering_by(lambda _: JSONResponse(empty)) as source,
        pytest.raises(SourceNotUnderstood, match="nothing is shown"),
    ):
        source.visible(PAGES, most=12)


@pytest.mark.parametrize("status", ["archived", "trashed", "draft", "historical"])
def test_only_a_current_page_is_visible_whatever_the_site_lists(status: str) -> None:
    reply = JSONResponse(shown("1", status=status))
    with answering_by(lambda _: reply) as source:
        assert source.visible(PAGES, most=12) == {"1": False, "2": False}
        assert source.paths(PAGES, most=12) == {"1": None, "2": None}


def test_on_data_center_a_page_that_is_not_current_is_not_visible() -> None:
    reply = JSONResponse({"id": "1", "status": "trashed"})
    with answering_by(lambda _: reply, "datacenter") as source:
        assert source.visible(PAGES[:1], most=12) == {"1": False}


def test_on_data_center_one_refused_page_is_not_visible_and_all_of_them_are_an_error() -> None:
    open_pages = {"1"}

    def reply(request: Request) -> Response:
        page_id = request.url.path.rpartition("/")[2]
        if page_id in open_pages:
            return JSONResponse({"id": page_id, "status": "current"})
        return JSONResponse({"message": "no"}, 403)

    with answering_by(reply, "datacenter") as source:
        assert source.visible(PAGES, most=12) == {"1": True, "2": False}
        open_pages.clear()
        with pytest.raises(SourceRefused):
            source.visible(PAGES, most=12)


@pytest.mark.parametrize("lacking", ["parentId", "spaceId", "status"])
def test_a_page_of_cloud_that_does_not_say_where_it_stands_is_an_error(lacking: str) -> None:
    item = {"id": "1", "status": "current", "parentId": None, "spaceId": "7"}
    del item[lacking]
    with (
        answering_by(lambda _: JSONResponse({"results": [item]})) as source,
        pytest.raises(SourceNotUnderstood, match=lacking),
    ):
        source.paths(PAGES, most=12)


def test_what_is_neither_page_nor_folder_has_unknown_readers_and_so_has_a_hidden_folder() -> None:
    """A whiteboard is told as such; the other parent is in neither listing."""
    items = shown("1", parentId="50", parentType="whiteboard")["results"]
    items += shown("2", parentId="60", parentType="folder")["results"]
    nobody: dict[str, Any] = {"user": {"results": []}, "group": {"results": []}}

    def reply(request: Request) -> Response:
        path = request.url.path
        if "folders" in path:
            return JSONResponse({"errors": []}, 404)
        if "restriction" in path:
            return JSONResponse({"restrictions": nobody})
        space = [{"id": "7", "key": "DOC"}]
        return JSONResponse({"results": space if "spaces" in path else items})

    with answering_by(reply) as source:
        paths = source.paths(PAGES, most=12)
    for page_id, above in (("1", "50"), ("2", "60")):
        path = paths[page_id]
        assert path is not None
        outermost = path.levels[0]
        assert (outermost.id, outermost.kind, outermost.readers) == (above, PageKind.OTHER, None)


def test_an_older_data_center_is_asked_for_what_is_above_by_itself() -> None:
    """Its reply names the ancestors, and expands nothing of them."""
    nobody: dict[str, Any] = {"user": {"results": []}, "group": {"results": []}}
    asked: list[str] = []

    def reply(request: Request) -> Response:
        path = request.url.path
        asked.append(path.partition("content/")[2])
        told = {"restrictions": nobody}
        if "restriction" in path:
            return JSONResponse(told)
        page_id = path.rpartition("/")[2]
        above = [{"id": "90", "type": "page"}, {"id": f"9{page_id}", "type": "page"}]
        page = {"id": page_id, "type": "page", "status": "current", "ancestors": above}
        return JSONResponse(
            page | {"space": {"id": 7, "key": "DOC"}, "restrictions": {"read": told}}
        )

    pages = [Page(id=str(number), space="DOC", title="", url="") for number in range(1, 7)]
    with answering_by(reply, "datacenter") as source:
        assert list(source.paths(pages, most=12)) == ["1", "2", "3", "4", "5"]
        assert len(asked) == 12
        asked.clear()
        whole = source.paths(pages, most=13)
        assert list(whole) == [page.id for page in pages]
        assert len(asked) == 13
    assert len(asked) == len(set(asked))
    last = whole["6"]
    assert last is not None
    assert [level.readers for level in last.levels] == [frozenset()] * 3


def test_a_person_of_many_groups_is_asked_for_to_the_end() -> None:
    person = Person("sandbox:x", "X")

    def reply(request: Request) -> Response:
        path = request.url.path
        if path.endswith("memberof"):
            start = int(request.query_params["start"])
            names = [{"name": f"group {number}"} for number in range(start, min(start + 200, 350))]
            links = {"next": "/x?start=200"} if start == 0 else {}
            return JSONResponse({"results": names, "_links": links})
        if path.endswith("permissions"):
            subject = {"type": "group", "name": "group 349"}
            operation = {"targetType": "space", "operationKey": "read"}
            return JSONResponse([{"subject": subject, "operation": operation}])
        nobody: dict[str, Any] = {"user": {"results": []}, "group": {"results": []}}
        page = {"id": "1", "type": "page", "status": "current", "ancestors": []}
        restrictions = {"read": {"restrictions": nobody}}
        return JSONResponse(page | {"space": {"id": 7, "key": "DOC"}, "restrictions": restrictions})

    with answering_by(reply, "datacenter") as source:
        account = f"user:{person.key}"
        assert source.visible_to(account, PAGES[:1], most=12) == {"1": True}
        assert source.visible_to(account, PAGES[:1], most=1) == {}
