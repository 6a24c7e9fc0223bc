"""A web server of some routes, on a socket that is already listening, within the bounds."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence

import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from core.http.bounded_body import BoundedBody
from core.http.bounded_connection import IDLE_S, MOST_HEADER_BYTES, BoundedConnection


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        OSError: the port is taken, or the host is not one of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def server(routes: Sequence[BaseRoute]) -> uvicorn.Server:
    """A server of these routes; requests that are under way when it is stopped are finished."""
    config = uvicorn.Config(
        BoundedBody(Starlette(routes=routes)),
        http=BoundedConnection,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        timeout_keep_alive=int(IDLE_S),
        log_config=None,
        log_level="error",  # below it, uvicorn has a line for each request that is no HTTP
        access_log=False,
        server_header=False,
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
