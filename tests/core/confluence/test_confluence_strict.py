"""What real sites get wrong: endless listings, hidden ends, incomplete items, cut-off replies."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from confluence_answers import QUICK, answering, answering_by
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from wiki_site import datacenter, settings

from core.confluence import connect
from core.confluence.datacenter import DataCenter
from core.confluence.pace import RequestPace
from core.errors import (
    SettingsError,
    SourceError,
    SourceNotUnderstood,
    SourceUnreachable,
)
from core.models import Page
from core.page_source import Attachment, PageSource, Space
from core.pages import PageKind

FLAVORS = pytest.mark.parametrize("flavor", ["cloud", "datacenter"])
PAGE = Page(id="1", space="DOC", title="", url="")
POST = PAGE.model_copy(update={"kind": PageKind.BLOGPOST})
DOC = Space("7", "DOC")
VERBS: dict[str, Callable[[PageSource], object]] = {
    "spaces": lambda site: site.spaces(("*",)),
    "manifest": lambda site: list(site.manifest(DOC)),
    "labels": lambda site: site.labels(PAGE),
    "readers": lambda site: site.readers("1"),
    "ancestors": lambda site: site.ancestors(PAGE),
    "space_readers": lambda site: site.space_readers(DOC),
    "groups": lambda site: site.groups(),
    "members": lambda site: site.members("group:1"),
    "accounts": lambda site: site.accounts(["user:1"]),
    "comments": lambda site: site.comments(PAGE),
    "attachments": lambda site: site.attachments(PAGE),
}


def dc_item(**more: Any) -> dict[str, Any]:
    """A page as Data Center lists it, without what has to be asked for."""
    return {
        "id": "1",
        "title": "T",
        "status": "current",
        "version": {"number": 1},
        "ancestors": [],
        "_links": {"webui": "/x"},
    } | more


@FLAVORS
@pytest.mark.parametrize(
    "item",
    [{"colour": "green"}, {"id": None, "version": "1", "principal": "x"}],
    ids=["strange", "of other types"],
)
def test_an_item_that_lacks_what_it_must_have_is_an_error_of_ours_whatever_was_asked(
    flavor: str, item: dict[str, Any]
) -> None:
    with answering({"results": [item]}, flavor=flavor) as site:
        for ask in VERBS.values():
            with pytest.raises(SourceNotUnderstood):
                ask(site)


@pytest.mark.parametrize("lacking", ["space", "ancestors", "restrictions"])
def test_a_page_of_which_data_center_does_not_say_all_that_decides_who_may_read_it_is_an_error(
    lacking: str,
) -> None:
    """Ancestors that are not told are not taken for none."""
    whole: dict[str, Any] = {"restrictions": {"user": {"results": []}, "group": {"results": []}}}
    item = dc_item(space={"id": 7, "key": "DOC"}, restrictions={"read": whole})
    del item[lacking]
    with (
        answering(item, flavor="datacenter") as site,
        pytest.raises(SourceNotUnderstood, match=lacking),
    ):
        site.paths([PAGE], most=12)


def test_a_page_whose_ancestors_are_not_listed_is_not_taken_for_one_at_the_top() -> None:
    item = dc_item()
    del item["ancestors"]
    with (
        answering({"results": [item]}, flavor="datacenter") as site,
        pytest.raises(SourceNotUnderstood, match=r"DOC.*ancestors"),
    ):
        list(site.manifest(DOC))


def test_a_listing_that_does_not_say_labels_and_readers_says_so() -> None:
    """And not that there are none: the sync then asks for each page."""
    with answering({"results": [dc_item()]}, {"results": []}, flavor="datacenter") as site:
        (listed,) = site.manifest(DOC)
    assert (listed.labels, listed.readers) == (None, None)


@FLAVORS
def test_a_restriction_to_somebody_without_an_id_keeps_everybody_out(flavor: str) -> None:
    somebody = {"results": [{"type": "unknown"}]}
    with answering(
        {"restrictions": {"user": somebody, "group": {"results": []}}}, flavor=flavor
    ) as site:
        readers = site.readers("1")
    assert readers
    assert not any(each.startswith(("user:", "group:")) for each in readers)


def test_a_listing_that_repeats_its_last_items_for_ever_is_an_error() -> None:
    """As Data Center lists more than 200 attachments: https://jira.atlassian.com/browse/CONFSERVER-95396."""
    item = {"title": "a", "version": {"number": 1}, "_links": {"download": "/a"}}

    def reply(request: Request) -> Response:
        start = int(request.query_params.get("start", "0"))
        shown = [item | {"id": str(number)} for number in range(200, 250)]
        return JSONResponse(
            {
                "results": shown,
                "start": start,
                "limit": 50,
                "_links": {"next": f"/x?start={start + 50}"},
            }
        )

    with answering_by(reply, "datacenter") as site:
        with pytest.raises(SourceNotUnderstood, match="circle"):
            site.attachments(PAGE)
        assert site.requests == 2


@pytest.mark.parametrize(("there", "requests"), [(0, 1), (199, 1), (200, 2), (450, 3)])
def test_a_full_page_without_a_link_to_the_next_is_not_taken_for_the_last(
    there: int, requests: int
) -> None:
    def reply(request: Request) -> Response:
        start = int(request.query_params.get("start", "0"))
        shown = [{"name": f"group {number}"} for number in range(start, min(start + 200, there))]
        return JSONResponse({"results": shown, "start": start, "limit": 200, "_links": {}})

    with answering_by(reply, "datacenter") as site:
        assert len(site.groups()) == there
        assert site.requests == requests


@FLAVORS
def test_an_item_that_is_listed_twice_is_told_once(flavor: str) -> None:
    cloud = {"parentId": None, "spaceId": "7"}
    first, second = dc_item(**cloud), dc_item(id="2", **cloud)
    pages: list[dict[str, Any]] = [
        {"results": [first, first], "_links": {"next": "/x?cursor=a"}},
        {"results": [first, second]},
        {"results": []},
    ]
    with answering(*pages, flavor=flavor) as site:
        assert [each.page.id for each in site.manifest(DOC)] == ["1", "2"]


def test_a_group_with_signs_in_its_name_is_asked_for_by_all_of_it() -> None:
    asked: list[bytes] = []

    def reply(request: Request) -> Response:
        asked.append(request.scope["raw_path"])
        return JSONResponse({"results": []})

    with answering_by(reply, "datacenter") as site:
        site.members("group:R&D #1? 50%/a")
    assert asked == [b"/confluence/rest/api/group/R%26D%20%231%3F%2050%25%2Fa/member"]


def test_nothing_stands_above_a_blog_post_and_nothing_is_asked() -> None:
    with answering({}) as site:
        assert site.ancestors(POST) == {}
        assert site.requests == 0


def test_of_more_ancestors_than_one_reply_shows_the_rest_is_asked_for() -> None:
    asked: list[str] = []

    def reply(request: Request) -> Response:
        asked.append(request.url.path)
        first = 0 if "folders" in request.url.path else 40
        shown = [
            {"id": str(number), "type": "page" if number != 40 else "folder"}
            for number in range(first, first + (250 if first else 40))
        ]
        return JSONResponse({"results": shown})

    with answering_by(reply) as site:
        assert list(site.ancestors(PAGE)) == [str(number) for number in range(290)]
    assert asked == ["/wiki/api/v2/pages/1/ancestors", "/wiki/api/v2/folders/40/ancestors"]


def test_an_account_that_nobody_has_is_asked_for_once() -> None:
    with answering({"results": []}) as site:
        assert [site.names({"gone"}), site.names({"gone"})] == [{}, {}]
        assert site.requests == 1


@FLAVORS
def test_a_file_that_breaks_off_is_an_error_of_ours(flavor: str) -> None:
    async def half() -> AsyncIterator[bytes]:
        yield b"half"
        raise ConnectionError

    def reply(_: Request) -> Response:
        return StreamingResponse(half(), headers={"Content-Length": "100"})

    with answering_by(reply, flavor) as site, pytest.raises(SourceUnreachable):
        site.download(Attachment("1", "a", "", 100, 1, "/download/a"), limit=1000)


def test_a_wait_that_the_site_asks_for_is_kept_by_those_that_had_their_turn_already() -> None:
    pace, first = RequestPace(per_second=2), threading.Event()
    sent: list[float] = []

    def ask() -> None:
        with pace:
            sent.append(time.monotonic())
            first.set()

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    first.wait()  # one was sent at once, two wait for their turn
    slowed = time.monotonic()
    pace.slow_down(0.7)
    for thread in threads:
        thread.join()
    later = [at - slowed for at in sent if at > slowed]
    assert later
    assert min(later) >= 0.7


def test_a_name_that_is_no_email_is_told_as_what_it_is() -> None:
    with pytest.raises(
        SettingsError, match=r"CONFLUENCE_USERNAME is not an e-mail.*personal access token"
    ):
        connect(settings("http://127.0.0.1:1", confluence_username="ines"), retry=QUICK)


def test_a_data_center_that_is_down_at_the_start_is_not_a_wrong_setting() -> None:
    confluence = connect(datacenter("http://127.0.0.1:1"), retry=QUICK)
    assert isinstance(confluence, DataCenter)
    with pytest.raises(SourceError, match="does not answer"):
        confluence.spaces(("*",))
