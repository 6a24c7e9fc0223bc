"""Serve a stand-in: as a program until it is stopped, or in a thread while a test runs."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    Raises:
        OSError: somebody else has the port.
    """
    return socket.create_server((host, port), backlog=128)


def serve(app: ASGIApp, listener: socket.socket) -> None:
    """Answer requests on this socket until SIGTERM or SIGINT."""
    _server(app).run(sockets=[listener])


@contextmanager
def running(app: ASGIApp) -> Iterator[str]:
    """The base URL of the application, served by a thread on a free port while the block runs."""
    listener, server = listen("127.0.0.1", 0), _server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=5)
        listener.close()


def serve_announced(app: ASGIApp, name: str, *, host: str, port: int, path: str) -> None:
    """Say where the stand-in listens once a client can connect, then serve it.

    A taken port ends the program with one line and exit code 2.
    """
    try:
        listener = listen(host, port)
    except OSError as error:
        sys.stderr.write(
            f"cannot listen on {host}:{port} ({error.strerror}): "
            "choose another --port, or 0 for a free one\n"
        )
        raise SystemExit(2) from None
    sys.stdout.write(
        f"sandbox {name} listening on http://{host}:{listener.getsockname()[1]}{path}\n"
    )
    sys.stdout.flush()
    serve(app, listener)


def _server(app: ASGIApp) -> uvicorn.Server:
    # Faults cut connections on purpose, and uvicorn would report each one as an error of the app.
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)
