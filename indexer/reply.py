"""Reads what Confluence answers, strictly: what is not what the API promises is an error, never an empty list."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

from core.errors import ConfluenceNotUnderstood, ConfluenceRefused, ConfluenceUnreachable

Reply = dict[str, Any]


def as_json(response: requests.Response) -> Reply:
    """The reply as JSON, or an error that says what came instead."""
    status = response.status_code
    if status in (401, 403):
        raise ConfluenceRefused(f"Confluence refuses ({status}): check CONFLUENCE_USERNAME, CONFLUENCE_TOKEN and its permissions")
    if status >= 500 or status == 429:
        raise ConfluenceUnreachable(f"Confluence answered {status} to every try")
    if status == 404:
        raise ConfluenceNotUnderstood(f"Confluence knows no {urlsplit(response.url).path}; does CONFLUENCE_URL end in /wiki?")
    if not 200 <= status < 300:
        raise ConfluenceNotUnderstood(f"Confluence answered {status}")
    try:
        reply = response.json()
    except requests.exceptions.JSONDecodeError as error:
        kind = response.headers.get("Content-Type", "nothing that says what it is")
        raise ConfluenceNotUnderstood(f"Confluence sent {kind} instead of JSON; a login page?") from error
    if not isinstance(reply, dict):
        raise ConfluenceNotUnderstood("Confluence sent JSON that is not an object")
    return reply


def results(reply: Reply) -> list[Reply]:
    """The items of a listing."""
    found = reply.get("results")
    if not isinstance(found, list):
        raise ConfluenceNotUnderstood("Confluence sent a listing without results")
    return found


def next_cursor(reply: Reply) -> str | None:
    """The cursor of the next page: of the link, only its query is used, since its path may lack the context path."""
    link = reply.get("_links", {}).get("next")
    return parse_qs(urlsplit(link).query).get("cursor", [""])[0] if link else None
