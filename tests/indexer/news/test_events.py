"""Events yield ids of pages, whatever else stands in them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from indexer.news.events import MOST_PAGES, ToldByEvent, read_event


def told(event: Any) -> ToldByEvent | None:
    return read_event(json.dumps(event).encode())


@pytest.mark.parametrize(
    "event",
    [
        {"event": "page_updated", "page": {"id": 7, "title": "Bands"}},
        {"event": "blog_created", "blog": {"id": 7}},
        {"event": "content_permissions_updated", "content": {"id": "7"}},
        {"event": "label_added", "label": {"id": 99}, "labeled": {"id": 7}},
        {"event": "attachment_created", "attachments": [{"id": 99}], "attachedTo": {"id": 7}},
        {"event": "comment_created", "comment": {"id": 99, "parent": {"id": 7}}},
        {"userAccountId": "x", "page": {"id": 7}},
        {"eventType": "avi:confluence:updated:page", "content": {"id": "7", "type": "page"}},
        {"eventType": "avi:confluence:added:label", "label": {"id": "9"}, "content": {"id": "7"}},
        {"event": "invented_tomorrow", "page": {"id": 7, "parent": {"id": 8}}},
    ],
)
def test_every_shape_of_an_event_tells_the_page_that_it_is_about(event: dict[str, Any]) -> None:
    assert told(event) == ToldByEvent(("7",))


@pytest.mark.parametrize(
    "event",
    [
        {"test": True},
        {"event": "user_created", "user": {"id": 7}},
        {"event": "page_updated", "page": {"id": "7; drop table page"}},
        {"event": "page_updated", "page": {"id": "-7"}},
        {"event": "page_updated", "page": {"id": True}},
        {"event": "page_updated", "page": {"id": "7" * 21}},
        {"event": "page_updated", "page": [7]},
        {"event": ["page_updated"], "page": None},
    ],
)
def test_what_names_no_page_tells_none(event: dict[str, Any]) -> None:
    assert told(event) == ToldByEvent()


@pytest.mark.parametrize(
    "name",
    ["space_permissions_updated", "avi:confluence:permissions_updated:space:V2"],
)
def test_permissions_of_a_space_are_news_of_all_of_it(name: str) -> None:
    event = {"event": name} if "avi" not in name else {"eventType": name}
    assert told(event) == ToldByEvent(is_of_space=True)


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_event_is_none(body: bytes) -> None:
    assert read_event(body) is None


def test_an_event_tells_no_more_than_a_few_pages() -> None:
    assert MOST_PAGES >= 10
    found = told({name: {"id": 1} for name in ("page", "content", "labeled")})
    assert found == ToldByEvent(("1",))
