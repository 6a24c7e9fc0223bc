"""A wire between two programs that can be cut: what a network does to hosts, without one.

A wire that is cut says nothing and closes nothing, as when a cable is pulled. When it is mended,
what it carried before is gone.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress

from sandbox.http.server import listen

CHUNK = 65_536


class Wire:
    """Carries connections from a port of its own to an address, from a thread."""

    def __init__(self, host: str, port: int) -> None:
        self._there = (host, port)
        self._listener: socket.socket = listen("127.0.0.1", 0)
        self.port: int = self._listener.getsockname()[1]
        self._whole, self._closed = asyncio.Event(), asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._accepted: set[socket.socket] = set()
        self._carried: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="wire", daemon=True)
        self._thread.start()

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        self._loop.call_soon_threadsafe(self._mended)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._closed.set)

    def join(self) -> None:
        """Until all that it carried is closed."""
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())  # which cancels what is still carried

    async def _serve(self) -> None:
        self._whole.set()
        self._listener.setblocking(False)
        self._loop.add_reader(self._listener, self._accept)
        await self._closed.wait()
        self._loop.remove_reader(self._listener)
        self._listener.close()
        self._end_all()
        for task in self._carried:
            task.cancel()
        await asyncio.gather(*self._carried, return_exceptions=True)
        await asyncio.sleep(0)  # in which what they held is closed
        for accepted in self._accepted:
            accepted.close()

    def _accept(self) -> None:
        """By hand: asyncio's own server loses a connection that it is ended with."""
        with suppress(OSError):
            accepted, _ = self._listener.accept()
            accepted.setblocking(False)
            self._accepted.add(accepted)
            self._carried.add(self._loop.create_task(self._carry(accepted)))

    def _mended(self) -> None:
        self._end_all()
        self._whole.set()

    def _end_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _carry(self, accepted: socket.socket) -> None:
        near, back = await asyncio.open_connection(sock=accepted)
        self._writers.add(back)
        with suppress(OSError, asyncio.CancelledError):
            await self._whole.wait()
            far, out = await asyncio.open_connection(*self._there)
            self._writers.add(out)
            await asyncio.gather(self._pump(near, out), self._pump(far, back))
        self._end(back)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await reader.read(CHUNK):
                    await self._whole.wait()
                    writer.write(data)
                    await writer.drain()
        finally:
            self._end(writer)

    def _end(self, writer: asyncio.StreamWriter) -> None:
        self._writers.discard(writer)
        writer.close()
