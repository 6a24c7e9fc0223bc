"""The address that Slack calls: what Slack has not signed is refused before anything reads it."""

from __future__ import annotations

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot import metrics
from bot.chatter import Lane, lane
from bot.slack_api.signature import Signatures

PATH = "/slack/events"  # of events, buttons, shortcuts and commands alike
# Of listeners: more of them only wait for one another at the database.
THREADS = {Lane.OURS: 10, Lane.CHATTER: 2}


def slack_route(dispatch: Callable[[BoltRequest], BoltResponse], signing_secret: str) -> Route:
    """Where Slack delivers."""
    signatures = Signatures(signing_secret)
    threads = {of: CapacityLimiter(count) for of, count in THREADS.items()}

    async def deliver(request: Request) -> Response:
        if not signatures.may_be_signed(request.headers):
            return _refused()  # without reading the body
        body = await request.body()
        if not signatures.is_signed(request.headers, body):
            return _refused()
        if signatures.is_done(request.headers):
            return PlainTextResponse("")  # word for word what was acknowledged before
        bolt_request = _understood(request, body)
        if bolt_request is None:
            return PlainTextResponse("not understood", 400)
        of = lane(bolt_request.body)
        if of is Lane.NOBODY:
            return PlainTextResponse("")
        # In a thread: a listener waits for the database, and others must be acknowledged meanwhile.
        response = await to_thread.run_sync(dispatch, bolt_request, limiter=threads[of])
        if response.status == 200:
            signatures.done(request.headers)
        return to_starlette_response(response)

    return Route(PATH, deliver, methods=["POST"])


def _understood(request: Request, body: bytes) -> BoltRequest | None:
    """None for what is signed and yet nothing that Bolt can look into."""
    try:
        bolt_request = to_bolt_request(request, body)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None  # neither a JSON object nor a form, or one whose parts are of other types
    return bolt_request if isinstance(bolt_request.body.get("event", {}), dict) else None


def _refused() -> Response:
    metrics.ACKNOWLEDGED.labels("", 401).observe(0)
    return PlainTextResponse("not signed by Slack", 401, {"Connection": "close"})
