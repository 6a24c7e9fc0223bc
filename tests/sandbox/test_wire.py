"""A wire that is cut carries nothing, and closes nothing before it is mended."""

from __future__ import annotations

import gc
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from pytest import MonkeyPatch

from sandbox.programs.wire import Wire


def echo(connection: socket.socket) -> None:
    with connection:
        connection.sendall(connection.recv(99))


def serve(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=echo, args=(connection,), daemon=True).start()


@pytest.fixture
def wire() -> Iterator[Wire]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        with closing(Wire(*listener.getsockname())) as wire:
            yield wire
        listener.shutdown(socket.SHUT_RDWR)


def is_over(connection: socket.socket) -> bool:
    """Whether it has ended without a word: closed, or reset."""
    try:
        return connection.recv(99) == b""
    except ConnectionResetError:
        return True


def connected(wire: Wire) -> socket.socket:
    return socket.create_connection(("127.0.0.1", wire.port), timeout=60)


def test_it_carries_what_is_said(wire: Wire) -> None:
    with connected(wire) as ours:
        ours.sendall(b"hello")
        assert ours.recv(99) == b"hello"


def test_one_that_is_cut_is_silent_and_what_it_carried_is_gone_when_it_is_mended(
    wire: Wire,
) -> None:
    with connected(wire) as before:
        wire.cut()
        before.sendall(b"hello")
        before.settimeout(0.3)
        with pytest.raises(TimeoutError):
            before.recv(99)
        before.settimeout(60)
        wire.mend()
        assert is_over(before)
    with connected(wire) as again:
        again.sendall(b"hello")
        assert again.recv(99) == b"hello"


def test_one_that_is_closed_while_somebody_dials_leaves_no_socket_open() -> None:
    """A socket left open is an error of whichever test runs when it is thrown away."""
    left: list[str] = []
    with MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as there:
        patch.setattr(sys, "unraisablehook", lambda found: left.append(str(found.exc_value)))
        for _ in range(40):
            wire = Wire(*there.getsockname())
            dialling = threading.Thread(target=dial, args=(wire.port, 6))
            dialling.start()
            wire.close()
            dialling.join()
            wire.join()
        gc.collect()
    assert left == []


def dial(port: int, times: int) -> None:
    for _ in range(times):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=60):
            pass
