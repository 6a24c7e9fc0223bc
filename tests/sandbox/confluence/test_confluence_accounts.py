"""Several accounts at the stand-in: everybody sees what that account may view, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sandbox.confluence.accounts import ACCESS_TOKEN, TOKEN, USERNAME
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Entry, Person, space_id
from sandbox.http.server import running

INES, BEN = "sandbox:ines", "sandbox:ben"
HOME, SALARY, BANDS, FOLDER, NOTES, OPS, NEWS = "1", "2", "3", "4", "5", "6", "7"
GATEWAY = "/ex/confluence/some-id/wiki"
Login = dict[str, Any]


def content() -> Content:
    """DOC: Home > Salary (Ines) > Bands; Home > a folder > Notes; a blog post. OPS: one page."""
    entries = [
        Entry(HOME, "DOC", "Home"),
        Entry(SALARY, "DOC", "Salary", parent_id=HOME, users=[INES]),
        Entry(BANDS, "DOC", "Bands", parent_id=SALARY, labels=["money"]),
        Entry(FOLDER, "DOC", "Folder", kind="folder", parent_id=HOME),
        Entry(NOTES, "DOC", "Notes", parent_id=FOLDER),
        Entry(OPS, "OPS", "On call"),
        Entry(NEWS, "DOC", "News", kind="blogpost", groups=["people"]),
    ]
    people = [Person(INES, "Ines", "ines@example.com"), Person(BEN, "Ben", "ben@example.com")]
    return Content(entries, people, {}, {"people": [INES]})


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(build_app(content())) as url:
        yield url


@pytest.fixture
def site(url: str) -> Iterator[Site]:
    with Site(url) as site:
        site.reset()
        site.give_token(INES, "of-ines")
        site.give_token(BEN, "of-ben")
        yield site


@pytest.fixture
def http(url: str, site: Site) -> Iterator[httpx.Client]:
    assert site
    with httpx.Client(base_url=url, trust_env=False) as http:
        yield http


def basic(token: str) -> Login:
    return {"auth": (f"{token.removeprefix('of-')}@example.com", token)}


def bearer(token: str) -> Login:
    return {"headers": {"Authorization": f"Bearer {token}"}}


def ids(reply: httpx.Response) -> set[str]:
    return {each["id"] for each in reply.raise_for_status().json()["results"]}


@pytest.mark.parametrize(
    ("path", "login", "status"),
    [
        ("/wiki/api/v2/pages", {"auth": (USERNAME, TOKEN)}, 200),
        ("/wiki/api/v2/pages", basic("of-ines"), 200),
        ("/wiki/api/v2/pages", {"auth": ("ben@example.com", "of-ines")}, 401),
        ("/wiki/api/v2/pages", bearer("of-ines"), 401),
        (f"{GATEWAY}/api/v2/pages", bearer("of-ines"), 200),
        (f"{GATEWAY}/api/v2/pages", {"auth": (USERNAME, TOKEN)}, 200),
        (f"{GATEWAY}/api/v2/pages", bearer("of-nobody"), 401),
        (f"{GATEWAY}/api/v2/pages", bearer(ACCESS_TOKEN), 401),
        ("/confluence/rest/api/space", bearer("of-ines"), 200),
        ("/confluence/rest/api/space", bearer(ACCESS_TOKEN), 200),
        ("/confluence/rest/api/space", basic("of-ines"), 401),
        ("/wiki/api/v2/pages", {}, 401),
        ("/wiki/api/v2/pages", {"headers": {"Authorization": "Basic %%%"}}, 401),
    ],
)
def test_who_is_known_by_what(http: httpx.Client, path: str, login: Login, status: int) -> None:
    assert http.get(path, **login).status_code == status


def test_a_token_that_was_revoked_is_nobodys(http: httpx.Client, site: Site) -> None:
    site.revoke_token("of-ines")
    assert http.get("/wiki/api/v2/pages", **basic("of-ines")).status_code == 401
    assert http.get("/confluence/rest/api/space", **bearer("of-ines")).status_code == 401


def test_a_token_for_somebody_unknown_is_refused(site: Site) -> None:
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        site.give_token("sandbox:nobody", "x")


def test_listings_of_cloud_hold_what_the_account_may_view_right_now(
    http: httpx.Client, site: Site
) -> None:
    def seen(token: str, path: str) -> set[str]:
        return ids(http.get(f"/wiki/{path}", **basic(token)))

    asked = f"api/v2/pages?id={HOME},{SALARY},{BANDS},{FOLDER},{OPS}&limit=250"
    assert seen("of-ines", asked) == {HOME, SALARY, BANDS, OPS}  # no folder
    assert seen("of-ben", asked) == {HOME, OPS}
    assert seen("of-ben", "api/v2/blogposts") == set()
    site.unrestrict(SALARY)
    site.members("people", [BEN])
    site.space_readers("OPS", users=[INES])
    assert seen("of-ben", asked) == {HOME, SALARY, BANDS}
    assert seen("of-ines", "api/v2/blogposts") == set()
    assert seen("of-ben", "api/v2/spaces") == {space_id("DOC")}


def test_data_center_shows_each_account_what_it_may_view(http: httpx.Client, site: Site) -> None:
    def seen(token: str) -> set[str]:
        path = "/confluence/rest/api/content?spaceKey=DOC&type=page"
        return ids(http.get(path, **bearer(token)))

    assert seen("of-ines") - seen("of-ben") == {SALARY, BANDS}
    one = f"/confluence/rest/api/content/{BANDS}"
    assert http.get(one, **bearer("of-ben")).status_code == 404
    site.unrestrict(SALARY)
    assert http.get(one, **bearer("of-ben")).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/wiki/api/v2/pages/{}",
        "/wiki/api/v2/pages/{}/ancestors",
        "/wiki/api/v2/pages/{}/labels",
        "/wiki/api/v2/pages/{}/attachments",
        "/wiki/api/v2/pages/{}/footer-comments",
        "/wiki/rest/api/content/{}/restriction/byOperation/read",
        "/confluence/rest/api/content/{}",
        "/confluence/rest/api/content/{}/restriction/byOperation/read",
        "/confluence/rest/api/content/{}/label",
        "/confluence/rest/api/content/{}/child/comment",
        "/confluence/rest/api/content/{}/child/attachment",
    ],
)
def test_nothing_is_told_of_a_page_to_an_account_that_may_not_view_it(
    http: httpx.Client, path: str
) -> None:
    login = bearer if path.startswith("/confluence") else basic
    assert http.get(path.format(BANDS), **login("of-ines")).status_code == 200
    assert http.get(path.format(BANDS), **login("of-ben")).status_code == 404


def test_only_an_administrator_learns_what_others_may_read(http: httpx.Client) -> None:
    path = f"/wiki/rest/api/content/{BANDS}/permission/check"
    asked = {"subject": {"type": "user", "identifier": BEN}, "operation": "read"}
    assert http.post(path, json=asked, **basic("of-ines")).status_code == 403
    administrator = http.post(path, json=asked, auth=(USERNAME, TOKEN))
    assert administrator.json()["hasPermission"] is False


def test_a_folder_is_shown_by_its_id_and_named_as_what_pages_stand_under(
    http: httpx.Client,
) -> None:
    folder = http.get(f"/wiki/api/v2/folders/{FOLDER}", **basic("of-ben")).json()
    assert (folder["id"], folder["parentId"], folder["parentType"]) == (FOLDER, HOME, "page")
    page = http.get(f"/wiki/api/v2/pages/{NOTES}", **basic("of-ben")).json()
    assert (page["parentId"], page["parentType"]) == (FOLDER, "folder")
    assert http.get(f"/wiki/api/v2/folders/{HOME}", **basic("of-ben")).status_code == 404


def test_data_center_tells_the_restrictions_of_everything_above_when_asked_to(
    http: httpx.Client,
) -> None:
    path = f"/confluence/rest/api/content/{BANDS}"
    nested = "ancestors,ancestors.restrictions.read.restrictions.user"
    above = http.get(path, params={"expand": nested}, **bearer("of-ines")).json()["ancestors"]
    users = [each["restrictions"]["read"]["restrictions"]["user"]["results"] for each in above]
    assert [len(each) for each in users] == [0, 1]
    plain = http.get(path, params={"expand": "ancestors"}, **bearer("of-ines")).json()
    assert "restrictions" not in plain["ancestors"][0]


def test_a_search_that_lags_shows_the_site_as_it_was(http: httpx.Client, site: Site) -> None:
    def found(token: str) -> set[str]:
        path = "/wiki/rest/api/content/search?cql=space%20%3D%20DOC"
        return ids(http.get(path, **basic(token)))

    site.unrestrict(SALARY)
    site.search_lag(60)
    before = found("of-ben")
    site.restrict(SALARY, users=[INES])
    site.create("DOC", "New", "")
    assert BANDS in before
    assert found("of-ben") == before
    site.search_lag(0)
    assert BANDS not in found("of-ben")
    assert len(found("of-ines")) == len(before) + 2  # the blog post, the new page
