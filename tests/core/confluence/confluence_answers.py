"""Sites that answer whatever a test wants, for replies that no site should send and some do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from wiki_site import client, datacenter

from core.confluence import RETRY, connect
from core.page_source import PageSource
from sandbox.http.server import running

QUICK = RETRY.new(backoff_factor=0, backoff_jitter=0)


@contextmanager
def answering(*replies: dict[str, Any], flavor: str = "cloud") -> Iterator[PageSource]:
    """A site that gives these replies in turn, whatever it is asked, and then repeats the last."""
    left = list(replies)

    def reply(_: Request) -> Response:
        return JSONResponse(left.pop(0) if len(left) > 1 else left[0])

    with answering_by(reply, flavor) as confluence:
        yield confluence


@contextmanager
def answering_by(
    respond: Callable[[Request], Response], flavor: str = "cloud"
) -> Iterator[PageSource]:
    """A site that answers by a function."""

    async def endpoint(request: Request) -> Response:
        return respond(request)

    with running(
        Starlette(routes=[Route("/{any:path}", endpoint, methods=["GET", "POST"])])
    ) as url:
        yield (
            client(url)
            if flavor == "cloud"
            else connect(datacenter(url, confluence_flavor="datacenter"), retry=QUICK)
        )
