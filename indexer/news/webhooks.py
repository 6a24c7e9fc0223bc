"""Webhooks: Confluence, or an app on it, delivers events; each only tells which pages to read.

Whoever has the secret can make us read pages again, and nothing else. Connect's tokens (JWT) are
not understood: an app of Cloud signs as Data Center does, see docs/confluence.md.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable

from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core import logs
from core.access import page_news
from core.errors import SettingsError
from core.http.server import listen, serve_in_background
from core.outages.report import report
from core.pages import PageKey
from core.storage.database import Database
from indexer.news.events import ToldByEvent, read_event

PATH = "/confluence/webhook"
SIGNATURE = "X-Hub-Signature"
_LOOKS_SIGNED = re.compile(r"sha256=[0-9a-f]{64}")

log = logs.get(__name__)


class Webhooks:
    """Answers deliveries: 200 once the news is in SQL, so that a failed one may be sent again."""

    def __init__(
        self,
        database: Database,
        source: str,
        secret: str,
        hurry: Callable[[], None],
    ) -> None:
        """`hurry` brings the next sync forward, for events of a whole space."""
        self._database = database
        self._source = source
        self._secret = secret.encode()
        self._hurry = hurry

    @property
    def routes(self) -> list[Route]:
        return [Route(PATH, self._deliver, methods=["POST"])]

    async def _deliver(self, request: Request) -> Response:
        signature = _only_signature(request.headers.getlist(SIGNATURE))
        if not signature:  # without reading the body
            return _unsigned()
        body = await request.body()
        if not self._is_signed(body, signature):
            return _unsigned()
        event = read_event(body)
        if event is None:
            return PlainTextResponse("not understood", 400)
        try:
            await to_thread.run_sync(self._tell, event)
        except SQLAlchemyError as error:
            report("webhook.not_saved", error)
            return PlainTextResponse("not now", 503)
        return PlainTextResponse("ok")

    def _is_signed(self, body: bytes, signature: str) -> bool:
        """`sha256=` and the HMAC of the body as it came."""
        expected = "sha256=" + hmac.new(self._secret, body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(signature.encode(), expected.encode())

    def _tell(self, event: ToldByEvent) -> None:
        page_news.tell(self._database, [PageKey(self._source, each) for each in event.pages])
        if event.is_of_space:
            self._hurry()
        log.info("webhook.received", pages=len(event.pages), of_space=event.is_of_space)


def _only_signature(found: list[str]) -> str:
    """The signature, if there is one and looks like one."""
    return found[0] if len(found) == 1 and _LOOKS_SIGNED.fullmatch(found[0]) else ""


def _unsigned() -> Response:
    return PlainTextResponse("not signed with our secret", 401, {"Connection": "close"})


def serve(webhooks: Webhooks, host: str, port: int) -> int:
    """Listen, from a thread that ends with the process; the port, of which 0 takes a free one.

    Raises:
        SettingsError: it is taken, or the host is not one of this machine's.
    """
    try:
        listener = listen(host, port)
    except OSError as error:
        wrong = f"WEBHOOK_HOST, WEBHOOK_PORT: cannot listen on {host}:{port} ({error.strerror})"
        raise SettingsError(wrong) from error
    serve_in_background(webhooks.routes, listener, name="webhooks")
    taken: int = listener.getsockname()[1]
    return taken
