"""Events that Confluence sends by webhook, read for nothing but the ids of pages: which news it is.

Data Center   https://confluence.atlassian.com/doc/managing-webhooks-1021225606.html
              {"event": "page_updated", "page": {"id": 123, …}, …}
Connect       https://developer.atlassian.com/cloud/confluence/modules/webhook/
              {"page": {"id": 123, …}, …}, the event is in the address or nowhere
Forge         https://developer.atlassian.com/platform/forge/events-reference/confluence
              {"eventType": "avi:confluence:updated:page", "content": {"id": "123", …}, …}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_PAGES = 100  # of one event; real ones name one or two

# What the page, or what is above it or on it, is called in the events of the three.
_PAGES = (
    "page",
    "blog",
    "blogpost",
    "content",
    "prevContent",
    "labeled",
    "attachedTo",
    "container",
    "parent",
)
_INSIDE = ("comment", "content", "attachment")  # what stands on a page, and names it inside
_ID = re.compile(r"[0-9]{1,20}")
_SPACE = re.compile(r"space_permissions|permissions?_updated:space|space_permission")


@dataclass(frozen=True)
class ToldByEvent:
    """Which pages to read again, and whether a whole space may have changed."""

    pages: tuple[str, ...] = ()
    is_of_space: bool = False


def read_event(body: bytes) -> ToldByEvent | None:
    """What an event tells; None when it is no event at all.

    >>> read_event(b'{"event": "page_updated", "page": {"id": 7, "title": "not read"}}')
    ToldByEvent(pages=('7',), is_of_space=False)
    >>> read_event(b'{"test": true}')
    ToldByEvent(pages=(), is_of_space=False)
    """
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    name = event.get("event") or event.get("eventType") or event.get("webhookEvent")
    is_of_space = isinstance(name, str) and bool(_SPACE.search(name))
    found = dict.fromkeys(_ids(event))
    return ToldByEvent(tuple(found)[:MOST_PAGES], is_of_space)


def _ids(event: dict[str, Any]) -> Iterator[str]:
    yield from _named(event)
    for name in _INSIDE:
        inside = event.get(name)
        if isinstance(inside, dict):
            yield from _named(inside)


def _named(thing: dict[str, Any]) -> Iterator[str]:
    for name in _PAGES:
        page = thing.get(name)
        found = page.get("id") if isinstance(page, dict) else None
        is_number = isinstance(found, int) and not isinstance(found, bool)
        if (is_number or isinstance(found, str)) and _ID.fullmatch(str(found)):
            yield str(found)
