"""List parameters and paging: cursors as in the v2 API, offsets as in v1.

https://developer.atlassian.com/cloud/confluence/rest/v2/intro/#pagination
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

T = TypeVar("T")
MAX_LIMIT = 250
DEFAULT_LIMIT = 25


def values_of(request: Request, name: str) -> list[str]:
    """A list parameter: given several times, or once with commas."""
    values = ",".join(request.query_params.getlist(name)).split(",")
    return [value for value in values if value]


async def sent_json(request: Request) -> dict[str, Any]:
    """The JSON object that a request carries."""
    try:
        sent = await request.json()
    except ValueError:
        raise HTTPException(400, "the body is not JSON") from None
    if not isinstance(sent, dict):
        raise HTTPException(400, "the body is not a JSON object")
    return sent


def base_of(request: Request) -> str:
    """The site's own base, with its context path."""
    return f"{str(request.base_url).rstrip('/')}/wiki"


def cut(request: Request, results: list[dict[str, Any]]) -> Response:
    """One page of the results; `_links.next` and the Link header lead to the following one."""
    return cut_of(request, results, key=lambda item: item["id"], shape=lambda item: item)


def cut_of(
    request: Request,
    items: Sequence[T],
    *,
    key: Callable[[T], str],
    shape: Callable[[T], dict[str, Any]],
) -> Response:
    """One page of items in the order of their numeric keys; only what is shown becomes JSON."""
    limit = limit_of(request)
    start = _start(request, items, key)
    shown = items[start : start + limit]
    links = {"base": base_of(request)}
    headers = {}
    if start + limit < len(items):
        links["next"] = _next(request, key(shown[-1]))
        headers["Link"] = f'<{links["next"]}>; rel="next"'
    results = [shape(item) for item in shown]
    return JSONResponse({"results": results, "_links": links}, headers=headers)


def limit_of(request: Request) -> int:
    """How many results one reply may have."""
    asked = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not asked.isdecimal() or not 1 <= int(asked) <= MAX_LIMIT:
        raise HTTPException(400, f"limit must be between 1 and {MAX_LIMIT}, not {asked}")
    return int(asked)


def _start(request: Request, items: Sequence[T], key: Callable[[T], str]) -> int:
    """The place behind the cursor, which names the last id seen: a removed page shifts nothing."""
    cursor = request.query_params.get("cursor")
    if cursor is None:
        return 0
    return bisect_right(items, _opened(cursor), key=lambda item: int(key(item)))


def _opened(cursor: str) -> int:
    try:
        return int(urlsafe_b64decode(cursor))
    except ValueError:
        raise HTTPException(400, "the cursor is not one that this site gave out") from None


def _next(request: Request, last_id: str) -> str:
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
    cursor = urlsafe_b64encode(last_id.encode()).decode()
    return f"{request.url.path}?{urlencode([*kept, ('cursor', cursor)])}"


def offset_page(request: Request, items: list[dict[str, Any]]) -> Response:
    """Paging as in v1: start, limit, and a next link without the host."""
    query = request.query_params
    start = int(query.get("start", "0"))
    limit = min(int(query.get("limit", "25")), request.app.state.cap)
    shown = items[start : start + limit]
    links = {"base": base_of(request)}
    if start + limit < len(items):
        kept = kept_query(request, without=("start", "limit"))
        links["next"] = f"{request.url.path}?{kept}&limit={limit}&start={start + limit}"
    where = {"start": start, "limit": limit, "size": len(shown)}
    return JSONResponse({"results": shown, **where, "_links": links})


def kept_query(request: Request, *, without: Collection[str]) -> str:
    """The query of a request for its next link, without the parameters of paging."""
    items = request.query_params.multi_items()
    return "&".join(f"{name}={value}" for name, value in items if name not in without)
