"""HTTP by hand: our server on a free port, and sockets that send what no client would."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from starlette.routing import BaseRoute

from core.http.server import listen, server

PATIENCE_S = 60.0


@contextmanager
def served_routes(routes: Sequence[BaseRoute]) -> Iterator[str]:
    """The address of our own server, bounds included, with these routes."""
    with listen("127.0.0.1", 0) as listener:
        serving = server(routes)
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            serving.should_exit = True
            thread.join()


def connected(url: str) -> socket.socket:
    host, _, port = url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def reply(sent: socket.socket) -> bytes:
    """All that comes until the server closes; nothing when it resets."""
    come = b""
    try:
        while piece := sent.recv(65536):
            come += piece
    except ConnectionError:
        return come
    return come


def status(url: str, request: bytes) -> int:
    """The status that these bytes get; 0 when the connection is closed without one."""
    with connected(url) as sent:
        with suppress(ConnectionError):  # refused while we still send; the reply may be here
            sent.sendall(request)
        return status_of(first_line(sent))


def first_line(sent: socket.socket) -> bytes:
    come = b""
    try:
        while b"\r\n" not in come and (piece := sent.recv(4096)):
            come += piece
    except ConnectionError:
        return come
    return come


def status_of(come: bytes) -> int:
    return int(come.split(b" ", 2)[1]) if come.startswith(b"HTTP/") else 0
