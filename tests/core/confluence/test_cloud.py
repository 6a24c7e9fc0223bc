"""The client of Confluence Cloud: real requests through atlassian-python-api, read strictly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from confluence_answers import answering
from wiki_site import HOME, LEAVE, LEAVE_BODY, NEWS, SALARY, client, content

from core.confluence.pace import RequestPace
from core.errors import SettingsError, SourceNotUnderstood, SourceUnreachable
from core.models import Page
from core.page_source import Body, PageSource, Space, Whereabouts
from core.pages import PageStatus
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def site(served: tuple[str, Site]) -> Site:
    served[1].reset()
    return served[1]


@pytest.fixture
def confluence(served: tuple[str, Site], site: Site) -> PageSource:
    return client(served[0])


def doc(confluence: PageSource) -> Space:
    return confluence.spaces(("DOC",))[0]


def listed(identifier: str, **more: Any) -> dict[str, Any]:
    version = {"number": 1, "createdAt": "2026-03-01T08:00:00Z"}
    return {
        "id": identifier,
        "title": "T",
        "status": "current",
        "version": version,
        "_links": {"webui": "/x"},
    } | more


def page(identifier: str, kind: str = "page") -> Page:
    return Page(id=identifier, kind=kind, space="DOC", title="", url="")


def test_spaces_are_found_by_key_and_all_of_them_by_a_star(confluence: PageSource) -> None:
    assert {space.key for space in confluence.spaces(("DOC", "OPS"))} == {"DOC", "OPS"}
    assert {space.key for space in confluence.spaces(("*",))} == {"DOC", "OPS", "OLD"}


def test_a_space_that_the_site_does_not_know_is_a_wrong_setting_that_is_named(
    confluence: PageSource,
) -> None:
    with pytest.raises(SettingsError, match="CONFLUENCE_SPACES: NOPE not found"):
        confluence.spaces(("DOC", "NOPE"))


def test_a_manifest_holds_pages_and_blog_posts_with_all_that_plans_need(
    confluence: PageSource,
) -> None:
    pages = {each.page.id: each.page for each in confluence.manifest(doc(confluence))}
    assert set(pages) == {"1", "2", "3", "4", "5", "6"}
    assert (
        pages[LEAVE].title,
        pages[LEAVE].parent_id,
        pages[LEAVE].version,
        pages[LEAVE].status,
    ) == ("Leave", HOME, 1, "current")
    assert (pages[HOME].owner, pages[LEAVE].owner, pages[NEWS].kind) == (
        "Ines Carvalho",
        "",
        "blogpost",
    )


def test_a_manifest_of_more_pages_than_one_request_returns_is_complete(
    confluence: PageSource, site: Site
) -> None:
    for number in range(260):
        site.create("OPS", f"Page {number}", "")
    (space,) = confluence.spaces(("OPS",))
    assert len(list(confluence.manifest(space))) == 261


def test_bodies_come_by_id_and_one_that_is_gone_is_left_out(
    confluence: PageSource, site: Site
) -> None:
    site.purge(HOME)
    assert confluence.bodies([page(HOME), page(LEAVE)]) == {LEAVE: Body(LEAVE_BODY, 1)}


def test_an_item_without_its_body_is_left_out() -> None:
    whole = {"id": "3", "version": {"number": 4}, "body": {"storage": {"value": "<p/>"}}}
    with answering({"results": [{"id": "1"}, {"id": "2", "body": {}}, whole]}) as confluence:
        assert confluence.bodies([page("1"), page("2"), page("3")]) == {"3": Body("<p/>", 4)}


@pytest.mark.parametrize(
    ("verb", "status"),
    [("archive", "archived"), ("trash", "trashed"), ("purge", "gone"), ("rename", "current")],
)
def test_the_whereabouts_of_a_page_are_told(
    confluence: PageSource, site: Site, verb: str, status: str
) -> None:
    getattr(site, verb)(LEAVE, **({"title": "New"} if verb == "rename" else {}))
    place = "" if status == "gone" else doc(confluence).id
    assert confluence.whereabouts(page(LEAVE)) == Whereabouts(PageStatus(status), place)


def test_labels_and_restrictions_are_those_of_the_very_page(confluence: PageSource) -> None:
    assert confluence.labels(page(LEAVE)) == ("policy",)
    assert [bool(confluence.readers(page_id)) for page_id in (HOME, SALARY, "4")] == [
        False,
        True,
        False,
    ]
    assert confluence.ancestors(page("4")) == {HOME: "page", SALARY: "page"}
    assert confluence.labels(page(NEWS, "blogpost")) == ()


@pytest.mark.parametrize(
    "reply",
    [{}, {"restrictions": {}}, {"restrictions": {"user": {"results": []}}}, {"restrictions": None}],
)
def test_restrictions_that_are_not_told_in_full_are_not_taken_for_none(
    reply: dict[str, Any],
) -> None:
    with answering(reply) as confluence, pytest.raises(SourceNotUnderstood):
        confluence.readers("1")


def test_names_are_asked_for_once_and_unknown_accounts_have_none(
    confluence: PageSource, site: Site
) -> None:
    assert confluence.names({"sandbox:ines", "sandbox:nobody", ""}) == {
        "sandbox:ines": "Ines Carvalho"
    }
    assert confluence.names({"sandbox:ines"}) == {"sandbox:ines": "Ines Carvalho"}
    assert len(site.received()) == 1


@pytest.mark.parametrize(
    "replies",
    [
        pytest.param(
            [{"results": [listed("1")], "_links": {"next": "/x?cursor=a"}}],
            id="the same cursor again",
        ),
        pytest.param(
            [{"results": [listed(c)], "_links": {"next": f"/x?cursor={c}"}} for c in "aba"]
            + [{"results": [listed("c")]}],
            id="a cursor seen before",
        ),
        pytest.param(
            [{"results": [], "_links": {"next": "/x?cursor=a"}}, {"results": []}],
            id="an empty page in the middle",
        ),
        pytest.param(
            [
                {"results": [listed("1")], "_links": {"next": "/x"}},
                {"results": [listed("2")], "_links": {"next": "/x"}},
            ],
            id="no cursor",
        ),
    ],
)
def test_a_listing_that_turns_in_a_circle_is_an_error(replies: list[dict[str, Any]]) -> None:
    with answering(*replies) as confluence, pytest.raises(SourceNotUnderstood, match="circle"):
        list(confluence.manifest(Space("7", "DOC")))


@pytest.mark.parametrize("lacking", ["id", "title", "version", "_links", "status"])
def test_a_page_in_a_listing_without_what_every_page_has_is_an_error_that_names_it(
    lacking: str,
) -> None:
    item = {name: value for name, value in listed("1").items() if name != lacking}
    with (
        answering({"results": [item]}) as confluence,
        pytest.raises(SourceNotUnderstood, match=f"DOC.*{lacking}"),
    ):
        list(confluence.manifest(Space("7", "DOC")))


def test_a_site_that_does_not_answer_is_an_error_that_names_the_setting() -> None:
    with pytest.raises(SourceUnreachable, match="CONFLUENCE_URL"):
        client("http://127.0.0.1:1").spaces(("*",))


def test_an_address_that_is_none_is_an_error_that_names_the_setting() -> None:
    with pytest.raises(SourceUnreachable, match="CONFLUENCE_URL"):
        client("wiki.example").spaces(("*",))


@pytest.mark.parametrize(
    "missing", ["confluence_url", "confluence_username", "confluence_token", "confluence_spaces"]
)
def test_a_missing_setting_is_named(missing: str) -> None:
    with pytest.raises(SettingsError, match=f"^{missing.upper()} not set"):
        client(
            "http://127.0.0.1:1",
            confluence_flavor="cloud",
            **{missing: "" if missing == "confluence_username" else None},
        )


def test_requests_are_spread_evenly() -> None:
    pace, began = RequestPace(per_second=50), time.monotonic()
    for _ in range(6):
        with pace:
            pass
    assert time.monotonic() - began >= 5 / 50


def test_every_request_is_counted(confluence: PageSource) -> None:
    list(confluence.manifest(doc(confluence)))
    assert confluence.requests == 4  # spaces, pages, blog posts, names
