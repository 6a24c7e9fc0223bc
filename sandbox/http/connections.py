"""Connections that break without a word: what uvicorn lets nobody do through ASGI.

The transport is reached through the object behind `receive`, as uvicorn (0.54) has it.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

from starlette.requests import HTTPConnection

# SO_LINGER on, for 0 s: closing sends RST, not FIN (RFC 9293, 3.10.7; socket(7))
AT_ONCE = struct.pack("ii", 1, 0)


def cut(connection: HTTPConnection) -> None:
    """Close it with what was not sent yet: whoever asked gets no reply at all."""
    _transport(connection).abort()


def reset(connection: HTTPConnection) -> None:
    """Reset it (TCP RST): no close frame, no end of file."""
    transport = _transport(connection)
    ours: socket.socket = transport.get_extra_info("socket")
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    transport.abort()


def deaden(connection: HTTPConnection) -> None:
    """Read nothing from it any more, so that nothing is answered, not even a ping."""
    _transport(connection).pause_reading()


def _transport(connection: Any) -> asyncio.Transport:
    transport: asyncio.Transport = connection._receive.__self__.transport
    return transport
