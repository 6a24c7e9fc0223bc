"""A reply that the API does not promise is an error that says what came, never an empty list."""

from __future__ import annotations

import json

import pytest
import requests

from core.confluence.reply import Reply, as_json, as_list, base_of, next_query, results
from core.errors import (
    SourceError,
    SourceNotUnderstood,
    SourceRefused,
    SourceUnreachable,
)


def response(
    status: int = 200, body: str = "{}", content_type: str = "application/json"
) -> requests.Response:
    """What requests makes of a reply."""
    made = requests.Response()
    made.status_code, made._content, made.url = (
        status,
        body.encode(),
        "https://wiki.example/wiki/api/v2/pages?limit=1",
    )
    made.headers["Content-Type"] = content_type
    return made


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, SourceRefused, "CONFLUENCE_TOKEN"),
        (403, SourceRefused, "CONFLUENCE_TOKEN"),
        (404, SourceNotUnderstood, "/wiki/api/v2/pages; does CONFLUENCE_URL"),
        (302, SourceNotUnderstood, "302"),
        (400, SourceNotUnderstood, "400"),
        (429, SourceUnreachable, "429"),
        (500, SourceUnreachable, "500"),
        (503, SourceUnreachable, "503"),
    ],
)
def test_each_status_is_the_error_of_whoever_can_do_something_about_it(
    status: int, error: type[SourceError], said: str
) -> None:
    with pytest.raises(error, match=said):
        as_json(response(status))


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        ("<html>Log in</html>", "text/html", "text/html instead of JSON; a login page"),
        ('{"results": [', "application/json", "instead of JSON"),
        ("", "", "instead of JSON"),
        ("[]", "application/json", "not an object"),
        ("null", "application/json", "not an object"),
    ],
)
def test_a_reply_of_status_200_that_is_no_object_is_not_understood(
    body: str, content_type: str, said: str
) -> None:
    with pytest.raises(SourceNotUnderstood, match=said):
        as_json(response(body=body, content_type=content_type))


def test_an_object_is_read() -> None:
    assert as_json(response(body='{"results": [{"id": "1"}]}')) == {"results": [{"id": "1"}]}


@pytest.mark.parametrize(
    "reply", [{}, {"results": None}, {"results": {}}, {"message": "not licensed"}]
)
def test_a_listing_without_results_is_not_an_empty_one(reply: Reply) -> None:
    with pytest.raises(SourceNotUnderstood):
        results(reply)


@pytest.mark.parametrize(
    ("links", "query"),
    [
        ({}, None),
        (
            {"next": "/wiki/api/v2/pages?cursor=abc%3D%3D&limit=2"},
            {"cursor": "abc==", "limit": "2"},
        ),
        (
            {"next": "https://elsewhere.example/api/v2/pages?limit=2&cursor=x"},
            {"cursor": "x", "limit": "2"},
        ),
        ({"next": "/wiki/api/v2/pages"}, {}),
    ],
)
def test_of_the_link_to_the_next_page_only_the_query_is_believed(
    links: dict[str, str], query: dict[str, str] | None
) -> None:
    assert next_query(json.loads(json.dumps({"_links": links}))) == query


def test_a_list_is_read_where_a_list_is_promised_and_nothing_else() -> None:
    assert as_list(response(body='[{"id": "1"}]')) == [{"id": "1"}]
    for body in ("{}", "[1]", "null"):
        with pytest.raises(SourceNotUnderstood):
            as_list(response(body=body))


def test_the_address_for_people_is_the_one_that_the_site_says() -> None:
    assert (
        base_of({"_links": {"base": "https://example.atlassian.net/wiki/"}})
        == "https://example.atlassian.net/wiki"
    )
    assert base_of({}) == ""
