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
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, name="wire", daemon=True).start()

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        self._loop.call_soon_threadsafe(self._mended)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._closed.set)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())  # which cancels what is still carried

    async def _serve(self) -> None:
        self._whole.set()
        async with await asyncio.start_server(self._carry, sock=self._listener):
            await self._closed.wait()
            self._end_all()
        carried = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carried:
            task.cancel()
        await asyncio.gather(*carried, return_exceptions=True)
        await asyncio.sleep(0)  # in which their sockets are closed

    def _mended(self) -> None:
        self._end_all()
        self._whole.set()

    def _end_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _carry(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
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
