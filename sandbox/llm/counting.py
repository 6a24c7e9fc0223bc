"""Count the calls to the model: how many there were, and how many at the same time at most."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

END_MARK = b"data: [DONE]"


@dataclass
class Load:
    """What the endpoint has had to do since the start or the last reset."""

    calls: int = 0
    now: int = 0  # calls that are not answered to the end
    most: int = 0  # the largest that `now` has been

    def begin(self) -> None:
        self.calls += 1
        self.now += 1
        self.most = max(self.most, self.now)

    def end(self) -> None:
        self.now -= 1

    def clear(self) -> None:
        """Calls in progress stay counted, or their end would be counted without its beginning."""
        self.calls, self.most = 0, self.now

    def as_json(self) -> dict[str, int]:
        return asdict(self)


class CountCalls:
    """Counts every call for an answer, also those that a fault answers.

    A call is over before its last piece is sent: whoever has that piece may begin the next call
    before this program does anything else.
    """

    def __init__(self, app: ASGIApp, load: Load) -> None:
        self._app = app
        self._load = load

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/v1/chat/completions":
            await self._app(scope, receive, send)
            return
        going_on = ExitStack()
        self._load.begin()
        going_on.callback(self._load.end)

        async def counted(message: Message) -> None:
            if _is_last(message):
                going_on.close()
            await send(message)

        with going_on:
            await self._app(scope, receive, counted)


def _is_last(message: Message) -> bool:
    ended = not message.get("more_body") or END_MARK in message.get("body", b"")
    return message["type"] == "http.response.body" and ended
