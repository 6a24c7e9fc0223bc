"""The stand-in for Confluence, through the client that the indexer uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from atlassian import ConfluenceV2

from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import TOKEN, USERNAME, build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import space_id
from sandbox.confluence.site.load import load
from sandbox.http.server import running

# The client warns of its own old methods whenever it is made, whichever are called.
pytestmark = pytest.mark.filterwarnings("ignore:V1 methods are deprecated:DeprecationWarning")
Json = dict[str, Any]
TRAVEL = "3002"
BLOG = "3007"


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with running(build_app(load(SAMPLE))) as url:
        yield url


@pytest.fixture
def site(base_url: str) -> Iterator[Site]:
    with Site(base_url) as site:
        site.reset()
        yield site


@pytest.fixture
def api(base_url: str) -> Iterator[ConfluenceV2]:
    api = ConfluenceV2(
        f"{base_url}/wiki", username=USERNAME, password=TOKEN, timeout=60, retry_with_header=False
    )
    yield api
    api.close()


def get(api: ConfluenceV2, path: str, **params: Any) -> Json:
    reply = api.get(
        path, params={k.replace("_", "-"): v for k, v in params.items()}, advanced_mode=True
    )
    assert reply.status_code == 200, reply.text
    body: Json = reply.json()
    return body


def status_of(api: ConfluenceV2, path: str, **params: Any) -> int:
    status: int = api.get(path, params=params, advanced_mode=True).status_code
    return status


def listed(api: ConfluenceV2, kind: str = "pages", **params: Any) -> list[Json]:
    """Everything that following `_links.next` by its query reaches."""
    reply = get(api, f"api/v2/{kind}", **params)
    found = list(reply["results"])
    while following := reply["_links"].get("next"):
        query = {name: values[0] for name, values in parse_qs(urlsplit(following).query).items()}
        reply = get(api, f"api/v2/{kind}", **query)
        found += reply["results"]
    return found


def ids(entries: list[Json]) -> list[str]:
    return [entry["id"] for entry in entries]


def test_following_the_cursor_reaches_every_page_once(site: Site, api: ConfluenceV2) -> None:
    in_one = ids(listed(api, limit=250, status="current"))
    assert ids(listed(api, limit=4, status="current")) == in_one
    assert len(set(in_one)) == len(in_one) >= 22


def test_the_next_link_is_relative_and_carries_the_context_path_and_the_filters(
    site: Site, api: ConfluenceV2, base_url: str
) -> None:
    links = get(api, "api/v2/pages", limit=2, space_id=space_id("HR"))["_links"]
    assert links["base"] == f"{base_url}/wiki"
    assert links["next"].startswith("/wiki/api/v2/pages?")
    assert parse_qs(urlsplit(links["next"]).query)["space-id"] == [space_id("HR")]


def test_a_page_that_is_added_or_removed_between_two_requests_shifts_nothing(
    site: Site, api: ConfluenceV2
) -> None:
    first = get(api, "api/v2/pages", limit=3)
    site.purge(first["results"][0]["id"])
    cursor = parse_qs(urlsplit(first["_links"]["next"]).query)["cursor"][0]
    second = get(api, "api/v2/pages", limit=3, cursor=cursor)
    assert int(second["results"][0]["id"]) > int(first["results"][-1]["id"])
    assert ids(second["results"])[0] == "1004"


@pytest.mark.parametrize("limit", [0, 251, "many"])
def test_a_limit_outside_of_1_to_250_is_refused(
    site: Site, api: ConfluenceV2, limit: object
) -> None:
    assert status_of(api, "api/v2/pages", limit=limit) == 400


def test_a_foreign_cursor_is_refused(site: Site, api: ConfluenceV2) -> None:
    assert status_of(api, "api/v2/pages", cursor="zzz") == 400


def test_spaces_are_found_by_key_and_filter_the_pages(site: Site, api: ConfluenceV2) -> None:
    spaces = get(api, "api/v2/spaces", keys="HR,WERK")["results"]
    assert sorted(space["key"] for space in spaces) == ["HR", "WERK"]
    werk = next(space for space in spaces if space["key"] == "WERK")
    assert {page["spaceId"] for page in listed(api, space_id=werk["id"])} == {werk["id"]}
    assert werk["homepageId"] == "4001"


def test_a_listing_carries_no_bodies_and_everything_that_tells_a_change(
    site: Site, api: ConfluenceV2
) -> None:
    page = next(p for p in listed(api) if p["id"] == TRAVEL)
    assert page["body"] == {}
    assert page["version"]["number"] == 8
    assert (page["parentId"], page["parentType"], page["status"]) == ("3001", "page", "current")
    assert page["ownerId"] == page["authorId"] == "sandbox:katrin-moebius"
    assert page["_links"]["webui"] == "/spaces/HR/pages/3002/Travel+policy"


def test_bodies_come_for_a_list_of_ids(site: Site, api: ConfluenceV2) -> None:
    pages = get(api, "api/v2/pages", id=f"{TRAVEL},1004", body_format="storage")["results"]
    assert ids(pages) == ["1004", TRAVEL]
    assert "<p>110 EUR</p>" in pages[1]["body"]["storage"]["value"]


def test_blog_posts_are_listed_apart_from_pages(site: Site, api: ConfluenceV2) -> None:
    assert ids(listed(api, "blogposts")) == [BLOG]
    assert BLOG not in ids(listed(api))
    assert get(api, f"api/v2/blogposts/{BLOG}", body_format="storage")["body"]["storage"][
        "value"
    ].startswith("<p>On Monday")
    assert status_of(api, f"api/v2/pages/{BLOG}") == 404


def test_an_edit_a_rename_and_a_move_each_raise_the_version(site: Site, api: ConfluenceV2) -> None:
    site.edit(TRAVEL, "<p>new</p>", message="shorter")
    site.rename(TRAVEL, "Travel rules")
    site.move(TRAVEL, parent_id="1001")
    page = get(api, f"api/v2/pages/{TRAVEL}", body_format="storage")
    assert page["version"]["number"] == 11
    assert (page["title"], page["parentId"], page["spaceId"]) == (
        "Travel rules",
        "1001",
        space_id("ENG"),
    )
    assert page["body"]["storage"]["value"] == "<p>new</p>"


def test_a_label_and_a_restriction_do_not_raise_the_version(site: Site, api: ConfluenceV2) -> None:
    site.labels(TRAVEL, ["money"])
    site.restrict(TRAVEL, groups=["people-team"])
    assert get(api, f"api/v2/pages/{TRAVEL}")["version"]["number"] == 8
    assert [label["name"] for label in get(api, f"api/v2/pages/{TRAVEL}/labels")["results"]] == [
        "money"
    ]
    assert get(api, f"api/v2/blogposts/{BLOG}/labels")["results"][0]["prefix"] == "global"


def test_trashed_pages_leave_the_listing_and_are_shown_when_asked_for(
    site: Site, api: ConfluenceV2
) -> None:
    site.trash(TRAVEL)
    assert TRAVEL not in ids(listed(api))
    assert ids(listed(api, status="trashed")) == [TRAVEL]
    assert status_of(api, f"api/v2/pages/{TRAVEL}") == 404
    assert (
        get(api, f"api/v2/pages/{TRAVEL}", status="current,archived,trashed")["status"] == "trashed"
    )
    site.restore(TRAVEL)
    assert TRAVEL in ids(listed(api))


def test_archived_pages_are_listed_unless_only_current_ones_are_asked_for(
    site: Site, api: ConfluenceV2
) -> None:
    site.archive(TRAVEL)
    assert TRAVEL in ids(listed(api))
    assert TRAVEL not in ids(listed(api, status="current"))


def test_a_purged_page_is_404_in_every_status(site: Site, api: ConfluenceV2) -> None:
    site.purge(TRAVEL)
    reply = api.get(
        f"api/v2/pages/{TRAVEL}?status=current&status=archived&status=trashed", advanced_mode=True
    )
    assert reply.status_code == 404
    assert reply.json()["errors"][0]["code"] == "NOT_FOUND"


def test_a_new_page_gets_an_id_that_nobody_had(site: Site, api: ConfluenceV2) -> None:
    created = site.create("HR", "Parking", "<p>Garage B.</p>", parent_id="3001", labels=["parking"])
    site.purge(created["id"])
    assert int(created["id"]) > 4006
    assert created["version"]["number"] == 1


def test_read_restrictions_name_users_and_groups(site: Site, api: ConfluenceV2) -> None:
    path = "rest/api/content/{}/restriction/byOperation/read"
    restricted = get(api, path.format("3008"))["restrictions"]
    assert [user["accountId"] for user in restricted["user"]["results"]] == [
        "sandbox:ines-carvalho",
        "sandbox:katrin-moebius",
    ]
    assert [group["name"] for group in restricted["group"]["results"]] == ["people-team"]
    site.unrestrict("3008")
    assert get(api, path.format("3008"))["restrictions"]["user"]["results"] == []
    assert status_of(api, path.format("999")) == 404


def test_ancestors_come_highest_first(site: Site, api: ConfluenceV2) -> None:
    ancestors = get(api, "api/v2/pages/3003/ancestors")["results"]
    assert [(above["id"], above["type"]) for above in ancestors] == [
        ("3001", "page"),
        (TRAVEL, "page"),
    ]
    assert ids(get(api, "api/v2/pages/3003/ancestors", limit=1)["results"]) == [TRAVEL]


def test_account_ids_become_names_and_unknown_ones_are_left_out(
    site: Site, api: ConfluenceV2
) -> None:
    sent = {"accountIds": ["sandbox:sofie-halkjaer", "sandbox:nobody"]}
    people = api.post("api/v2/users-bulk", data=sent, advanced_mode=True).json()["results"]
    assert [person["displayName"] for person in people] == ["Sofie Halkjær"]


def test_a_wrong_token_is_401_in_json(site: Site, base_url: str) -> None:
    with ConfluenceV2(
        f"{base_url}/wiki", username=USERNAME, password="wrong", timeout=60, retry_with_header=False
    ) as api:
        reply = api.get("api/v2/pages", advanced_mode=True)
    assert reply.status_code == 401
    assert reply.json()["errors"][0]["status"] == 401


def test_every_api_request_is_remembered_without_its_headers(site: Site, api: ConfluenceV2) -> None:
    get(api, "api/v2/pages", limit=2)
    assert site.received() == [{"method": "GET", "path": "/wiki/api/v2/pages", "query": "limit=2"}]
