"""Reads Confluence's replies strictly: what the API does not promise is an error, not empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard, TypeVar
from urllib.parse import parse_qsl, urlsplit

import requests

from core.errors import (
    SettingsError,
    SourceNotUnderstood,
    SourceOverloaded,
    SourceRefused,
    SourceRejected,
    SourceUnknown,
    SourceUnreachable,
)
from core.page_source import Space

Reply = dict[str, Any]
T = TypeVar("T")


def as_json(response: requests.Response) -> Reply:
    """The reply as a JSON object, or an error that says what came instead."""
    reply = as_any_json(response)
    if not isinstance(reply, dict):
        raise SourceNotUnderstood("Confluence sent JSON that is not an object")
    return reply


def as_list(response: requests.Response) -> list[Reply]:
    """The reply as a JSON array of objects."""
    reply = as_any_json(response)
    if not _are_objects(reply):
        raise SourceNotUnderstood("Confluence sent JSON that is not a list")
    return reply


def is_unknown(response: requests.Response) -> bool:
    """Whether the site says that there is no such thing, at least not for this account.

    Raises:
        SourceNotUnderstood: the 404 is not Confluence's own, so it says nothing of the thing.
    """
    if response.status_code != 404:
        return False
    try:
        said = response.json()
    except requests.exceptions.JSONDecodeError:
        said = None
    if not isinstance(said, dict):
        raise SourceNotUnderstood("something that is not Confluence answered 404")
    return True


def as_any_json(response: requests.Response) -> Any:
    check_status(response)
    try:
        return response.json()
    except requests.exceptions.JSONDecodeError as error:
        kind = response.headers.get("Content-Type", "nothing that says what it is")
        wrong = f"Confluence sent {kind} instead of JSON; a login page?"
        if "json" in kind:
            wrong = "Confluence sent something broken instead of JSON; was the reply cut short?"
        raise SourceNotUnderstood(wrong) from error


def check_status(response: requests.Response) -> None:
    """Raise what anything but success means."""
    status = response.status_code
    if status in (401, 403):
        raise SourceRefused(
            f"Confluence refuses ({status}): check CONFLUENCE_USERNAME, CONFLUENCE_TOKEN "
            "and its permissions"
        )
    if status == 429:
        raise SourceUnreachable(
            "Confluence answered 429, too many requests, to every try: "
            "lower CONFLUENCE_REQUESTS_PER_SECOND"
        )
    if status >= 500:
        raise SourceOverloaded(f"Confluence answered {status} to every try")
    if status == 404:
        path = urlsplit(response.url).path
        raise SourceUnknown(
            f"Confluence knows no {path}; does CONFLUENCE_URL end in /wiki, "
            "or in your context path?"
        )
    if status == 400:
        path = urlsplit(response.url).path
        raise SourceRejected(f"Confluence does not take this request of {path} (400)")
    if not 200 <= status < 300:
        raise SourceNotUnderstood(f"Confluence answered {status}")


def results(reply: Reply) -> list[Reply]:
    """The items of a listing."""
    found = reply.get("results")
    if not _are_objects(found):
        raise SourceNotUnderstood("Confluence sent a listing without results")
    return found


def _are_objects(found: Any) -> TypeGuard[list[Reply]]:
    if not isinstance(found, list):
        return False
    return all(isinstance(item, dict) for item in found)


def next_query(reply: Reply) -> dict[str, str] | None:
    """The query of the link to the next page; not its path, which may lack the context path."""
    links = reply.get("_links")
    link = links.get("next") if isinstance(links, dict) else None
    if not link:
        return None
    query = urlsplit(str(link)).query
    return dict(parse_qsl(query))


def is_full(reply: Reply) -> bool:
    """Whether a page of a listing with offsets has as many items as it says it may have."""
    limit = reply.get("limit")
    if "start" not in reply or not isinstance(limit, int):
        return False
    return 0 < limit <= len(results(reply))


def base_of(reply: Reply) -> str:
    """The site's own address for people, as a listing says it; empty when it does not."""
    links = reply.get("_links")
    if not isinstance(links, dict):
        return ""
    base = str(links.get("base", ""))
    return base.rstrip("/")


def identity(item: Reply) -> str:
    """The id of an item, which is never null."""
    if item["id"] in (None, ""):
        raise KeyError("id")
    return str(item["id"])


def understood(
    what: str,
    item: Reply,
    read: Callable[[Reply], T],
) -> T:
    """What `read` makes of an item, or an error that names what it lacks.

    >>> understood("a label", {"name": "policy"}, lambda item: item["name"])
    'policy'
    >>> understood("a label", {}, lambda item: item["name"])
    Traceback (most recent call last):
        ...
    core.errors.SourceNotUnderstood: a label lacks what every such thing has: KeyError('name')
    """
    try:
        return read(item)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        wrong = f"{what} lacks what every such thing has: {error!r}"
        raise SourceNotUnderstood(wrong) from error


def all_understood(
    what: str,
    found: Iterable[Reply],
    read: Callable[[Reply], T],
) -> list[T]:
    """What `read` makes of each of these items, or an error that names what one of them lacks."""
    return [understood(what, item, read) for item in found]


def all_there(spaces: list[Space], wanted: Sequence[str]) -> list[Space]:
    """The spaces, or an error that names the keys that none of them has; `*` is no key."""
    unknown = set(wanted) - {space.key for space in spaces} - {"*"}
    if unknown:
        missing = ", ".join(sorted(unknown))
        raise SettingsError(
            f"CONFLUENCE_SPACES: {missing} not found, or this account may not see it"
        )
    return spaces
