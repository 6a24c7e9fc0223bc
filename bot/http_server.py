"""The bot's HTTP server: the address that Slack calls, and health; Bolt checks the signature."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence

import uvicorn
from anyio import CapacityLimiter, to_thread
from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from slack_sdk.signature import SignatureVerifier
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from bot.chatter import Lane, lane

PATH = "/slack/events"  # of events, buttons, shortcuts and commands alike
# Of listeners: more of them only wait for one another at the database.
THREADS = {Lane.OURS: 10, Lane.CHATTER: 2}
MOST_BYTES = 1_000_000  # of a request; Slack's own are a few thousand


def slack_route(dispatch: Callable[[BoltRequest], BoltResponse], signing_secret: str) -> Route:
    """Where Slack delivers."""
    verifier = SignatureVerifier(signing_secret)
    threads = {of: CapacityLimiter(count) for of, count in THREADS.items()}

    async def deliver(request: Request) -> Response:
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BYTES:
                return PlainTextResponse("too large", 413)
        try:
            bolt_request = to_bolt_request(request, body)
        except ValueError:  # neither JSON nor a form in UTF-8: whoever sent this is not Slack
            return PlainTextResponse("not understood", 400)
        of = lane(bolt_request.body)
        if of is Lane.NOBODY:
            if verifier.is_valid_request(body, dict(request.headers)):
                return PlainTextResponse("")
            of = Lane.CHATTER  # Bolt refuses it
        # In a thread: a listener waits for the database, and others must be acknowledged meanwhile.
        response = await to_thread.run_sync(dispatch, bolt_request, limiter=threads[of])
        return to_starlette_response(response)

    return Route(PATH, deliver, methods=["POST"])


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        OSError: the port is taken, or the host is not one of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def server(routes: Sequence[BaseRoute]) -> uvicorn.Server:
    """A server of these routes; requests that are under way when it is stopped are finished."""
    app = Starlette(routes=routes)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
    )
    return uvicorn.Server(config)


def serve_in_background(
    routes: Sequence[BaseRoute], listener: socket.socket, *, name: str = "health"
) -> None:
    """Serve from a thread that ends with the process."""
    threading.Thread(
        target=server(routes).run,
        kwargs={"sockets": [listener]},
        name=name,
        daemon=True,
    ).start()
