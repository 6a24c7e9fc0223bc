"""Serve the stand-in for Slack, with websockets: as a program, or in a thread of a test."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from sandbox.http.server import listen
from sandbox.slack.app import build_app
from sandbox.slack.workspace.link import RetryPolicy
from sandbox.slack.workspace.tiers import PUBLISHED, Limits


def serve_announced(app: Starlette, host: str, port: int) -> None:
    """Say where the workspace is once a client can connect, then serve it.

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
    sys.stdout.write(f"sandbox slack listening on http://{host}:{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    _server(app, log_level="warning").run(sockets=[listener])


@contextmanager
def running(
    retry_policy: RetryPolicy | None = None,
    seed: int | None = None,
    limits: Limits = PUBLISHED,
) -> Iterator[str]:
    """A fresh workspace on a free port, as long as the block lasts; gives its address."""
    listener = listen("127.0.0.1", 0)
    server = _server(build_app(retry_policy, seed, limits), log_level="critical")
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listener]}, name="sandbox-slack"
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _server(app: Starlette, log_level: str) -> uvicorn.Server:
    # A page's event stream never ends by itself, so stopping waits a second for it at most.
    config = uvicorn.Config(
        app,
        log_level=log_level,
        access_log=False,
        timeout_graceful_shutdown=1,
        ws="websockets-sansio",
    )
    return uvicorn.Server(config)
