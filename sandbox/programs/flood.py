"""`python -m sandbox.programs.flood URL`: strangers who flood a port with what nobody signed.

Some post at a rate, with no signature, a wrong one, or a body without end; others open connections
and send a few bytes of a request. When stopped it prints how many got which status; 0 is a
connection that was closed without one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

SLOW = 300  # connections
MANY = b"x" * 65_536


def main() -> None:
    """Flood until stopped."""
    parser = argparse.ArgumentParser(prog="python -m sandbox.programs.flood")
    parser.add_argument("url")
    parser.add_argument("--rate", type=float, default=200.0, help="requests a second")
    asked = parser.parse_args()
    sys.stdout.write("flooding\n")
    sys.stdout.flush()
    answered = asyncio.run(Flood(asked.url, asked.rate).run())
    sys.stdout.write(json.dumps(answered) + "\n")


class Flood:
    """What is under way, and what was answered."""

    def __init__(self, url: str, rate: float) -> None:
        where = urlsplit(url)
        self._address = (where.hostname or "", where.port or 80)
        self._head = f"POST {where.path} HTTP/1.1\r\nHost: x\r\n".encode()
        self._rate = rate
        self._answered: Counter[int] = Counter()

    async def run(self) -> dict[int, int]:
        """Until SIGTERM; how many requests were answered, by status."""
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        tasks = [asyncio.create_task(self._dawdle()) for _ in range(SLOW)]
        tasks.append(asyncio.create_task(self._post_all()))
        await stop.wait()
        for task in tasks:
            task.cancel()
        return dict(self._answered)

    async def _post_all(self) -> None:
        """At the rate, whether or not what came before was answered."""
        began = time.monotonic()
        posted: set[asyncio.Task[None]] = set()
        for number in count():
            await asyncio.sleep(max(0.0, began + number / self._rate - time.monotonic()))
            task = asyncio.create_task(self._post(self._request(number)))
            posted.add(task)
            task.add_done_callback(posted.discard)

    def _request(self, number: int) -> bytes:
        if number % 10 == 9:
            endless = b"10000\r\n" + MANY + b"\r\n"
            return self._head + b"Transfer-Encoding: chunked\r\n\r\n" + endless * 17
        length = b"Content-Length: %d\r\n" % len(MANY)
        signature = b""
        if number % 10 == 8:  # it has to be read whole and hashed
            signature = b"X-Slack-Request-Timestamp: %d\r\n" % time.time()
            signature += b"X-Slack-Signature: v0=" + b"0" * 64 + b"\r\n"
        return self._head + signature + length + b"\r\n" + MANY

    async def _post(self, request: bytes) -> None:
        status = 0
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(*self._address)
            try:
                writer.write(request)
                line = await reader.readline()
                status = int(line.split()[1]) if line else 0
            finally:
                writer.close()
        self._answered[status] += 1

    async def _dawdle(self) -> None:
        """A connection that says little, and is opened again when it is closed."""
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(*self._address)
                try:
                    writer.write(self._head + b"Content-Le")
                    await reader.read()
                finally:
                    writer.close()
            await asyncio.sleep(0.5)


if __name__ == "__main__":
    main()
