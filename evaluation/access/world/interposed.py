"""In front of the site: counts requests, lets it fail, and has things happen in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.confluence.accounts import is_api
from sandbox.confluence.api.shapes import error_json


class Trouble(StrEnum):
    """What is wrong with the site."""

    NONE = "none"
    DOWN = "down"
    REFUSING = "refusing"
    BUSY = "busy"
    SLOW = "slow"


STATUS = {Trouble.DOWN: 503, Trouble.REFUSING: 403, Trouble.BUSY: 429}


class Interposed:
    """The application behind it, as it is at the moment."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.requests = 0
        self.trouble = Trouble.NONE
        self.delay_s = 0.0  # of each request
        self.before: Callable[[], None] = lambda: None  # each request to the API

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and is_api(scope["path"]):
            self.requests += 1
            self.before()
            await asyncio.sleep(self.delay_s)
            if self.trouble in STATUS:
                status = STATUS[self.trouble]
                await JSONResponse(error_json(status, "Trouble"), status)(scope, receive, send)
                return
        await self._app(scope, receive, send)
