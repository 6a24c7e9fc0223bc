"""A TCP wire to a stand-in, which tests cut, reset or make silent."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress

NOW = struct.pack("ii", 1, 0)  # SO_LINGER: closing is a reset


class Wire:
    """A wire to the stand-in that can be cut."""

    def __init__(self, port: int) -> None:
        self.silent = False  # from then on it takes connections, and nothing comes back
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/api/"

    def stop(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.close()

    def reset(self) -> None:
        for end in self._ends():
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NOW)
                end.shutdown(socket.SHUT_RD)
            end.close()

    def close(self) -> None:
        for end in self._ends():
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _ends(self) -> Iterator[socket.socket]:
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            yield from pair

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self.silent:
                    self._pairs.append((near, near))
                    continue
                far = socket.create_connection(("127.0.0.1", self._target))
                self._pairs.append((near, far))
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=ends, daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with source, suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
