"""Delivery to the app, by Socket Mode or by its request URL: acknowledgement, retry, redelivery.

docs.slack.dev/apis/events-api/using-socket-mode and
docs.slack.dev/apis/events-api/using-http-request-urls
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from dataclasses import dataclass, field

import aiohttp
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandbox.http.connections import deaden, reset
from sandbox.slack.workspace.envelopes import envelope_of, hello
from sandbox.slack.workspace.signed_http import Caller, Retry
from sandbox.slack.workspace.values import Json, Refused


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Seconds to acknowledge, and before each retry: docs.slack.dev/apis/events-api/#retries."""

    ack_s: float = 3.0
    retries_s: tuple[float, ...] = (0.0, 60.0, 300.0)


@dataclass
class Delivery:
    """One payload on its way to the app, over as many attempts as it takes."""

    kind: str  # events_api | interactive
    payload: Json
    attempts: int = 0
    acknowledged: bool = False
    sent_at: list[float] = field(default_factory=list)
    acknowledged_at: float | None = None
    # Why the last attempt failed, in the words of docs.slack.dev/apis/events-api/#error-handling.
    missed: str = ""

    @property
    def is_event(self) -> bool:
        return self.kind == "events_api"


class Link:
    """The app's end: a request URL, or connections used in turn; without them deliveries wait."""

    def __init__(self, retry_policy: RetryPolicy) -> None:
        self.retry_policy = retry_policy
        self.deliveries: list[Delivery] = []
        self.connections: list[WebSocket] = []
        self._caller: Caller | None = None
        self._tickets: set[str] = set()
        self._connected = asyncio.Event()
        self._acks: dict[str, asyncio.Future[Json]] = {}
        self._tasks: set[asyncio.Task[Json | None]] = set()

    def ticket(self) -> str:
        """What apps.connections.open puts into the address; good for one connection."""
        ticket = secrets.token_urlsafe(12)
        self._tickets.add(ticket)
        return ticket

    @property
    def ways(self) -> int:
        """How many ways there are to the app right now."""
        return len(self.connections) + (self._caller is not None)

    async def call(self, url: str) -> None:
        """Deliver to this request URL once its challenge is answered; empty: to the connections."""
        await self.close()
        if url:
            caller = Caller(url)
            try:
                await caller.verify()
            except Refused:
                await caller.close()
                raise
            self._caller = caller
            self._connected.set()

    async def close(self) -> None:
        if self._caller:
            await self._caller.close()
        self._caller = None
        if not self.connections:
            self._connected.clear()

    async def serve(self, websocket: WebSocket) -> None:
        """One connection of the app, from its hello to its end."""
        if websocket.query_params.get("ticket") not in self._tickets:
            await websocket.close(1008)
            return
        self._tickets.discard(websocket.query_params["ticket"])
        await websocket.accept()
        await websocket.send_json(hello(len(self.connections) + 1))
        self._join(websocket)
        try:
            async for text in websocket.iter_text():
                self._receive(json.loads(text))
        finally:
            self._leave(websocket)

    def deliver(self, kind: str, payload: Json) -> asyncio.Task[Json | None]:
        """Send a payload; the task ends with the acknowledgement, or None on giving up."""
        delivery = Delivery(kind, payload)
        self.deliveries.append(delivery)
        return self._start(delivery)

    def repeat(self, event_id: str | None) -> Delivery:
        """Redeliver an event, by default the last, as Slack does after a lost acknowledgement."""
        for delivery in reversed(self.deliveries):
            if delivery.is_event and event_id in (None, delivery.payload["event_id"]):
                self._start(delivery)
                return delivery
        raise Refused("event_not_found")

    async def disconnect(self, reason: str) -> int:
        """Ask all connections to reconnect: `warning`, `refresh_requested` or `link_disabled`."""
        leaving = list(self.connections)
        for websocket in leaving:
            self._leave(websocket)
            await websocket.send_json(
                {"type": "disconnect", "reason": reason, "debug_info": {"host": "sandbox"}}
            )
            await websocket.close()
        return len(leaving)

    def sever(self, most: int | None = None) -> int:
        """Reset connections (TCP RST), so many or all of them, as a broken network would."""
        severed = self.connections[-most:] if most else list(self.connections)
        for websocket in severed:
            self._leave(websocket)
            reset(websocket)
        return len(severed)

    def mute(self) -> int:
        """Let all connections stay open and dead: nothing is read, sent or answered any more."""
        muted = list(self.connections)
        for websocket in muted:
            self._leave(websocket)
            deaden(websocket)
        return len(muted)

    def forget(self) -> None:
        """Stop all deliveries; the connections stay."""
        for task in self._tasks:
            task.cancel()
        self.deliveries = []

    def _start(self, delivery: Delivery) -> asyncio.Task[Json | None]:
        task = asyncio.create_task(self._carry(delivery))
        self._tasks.add(task)  # the loop itself keeps only a weak reference
        task.add_done_callback(self._tasks.discard)
        return task

    async def _carry(self, delivery: Delivery) -> Json | None:
        # Only events are retried: a person who pressed a button is told that it failed
        # (docs.slack.dev/interactivity/handling-user-interaction).
        delays = (0.0, *self.retry_policy.retries_s) if delivery.is_event else (0.0,)
        for delay in delays:
            await asyncio.sleep(delay)
            ack = await self._attempt(delivery)
            if ack is not None:
                delivery.acknowledged = True
                delivery.acknowledged_at = delivery.acknowledged_at or time.time()
                return ack
        return None

    async def _attempt(self, delivery: Delivery) -> Json | None:
        while not self.ways:  # between the event and our turn, a connection may have gone again
            await self._connected.wait()
        return await (
            self._called(self._caller, delivery) if self._caller else self._sent(delivery)
        )

    async def _called(self, caller: Caller, delivery: Delivery) -> Json | None:
        retry = Retry(delivery.attempts, delivery.missed)
        delivery.attempts += 1
        delivery.sent_at.append(time.time())
        try:
            return await caller.deliver(
                delivery.kind, delivery.payload, retry, self.retry_policy.ack_s
            )
        except TimeoutError:
            delivery.missed = "http_timeout"
        except aiohttp.ClientResponseError:
            delivery.missed = "http_error"
        except aiohttp.ClientError:
            delivery.missed = "connection_failed"
        return None

    async def _sent(self, delivery: Delivery) -> Json | None:
        envelope = envelope_of(delivery.kind, delivery.payload, delivery.attempts)
        acknowledged = self._acks[envelope["envelope_id"]] = (
            asyncio.get_running_loop().create_future()
        )
        delivery.attempts += 1
        delivery.sent_at.append(time.time())
        try:
            await self._next_connection().send_json(envelope)
            return await asyncio.wait_for(acknowledged, self.retry_policy.ack_s)
        except (
            TimeoutError,
            WebSocketDisconnect,
            RuntimeError,
        ):  # RuntimeError: the connection went away while we were sending
            return None
        finally:
            del self._acks[envelope["envelope_id"]]

    def _receive(self, ack: Json) -> None:
        waiting = self._acks.get(ack.get("envelope_id", ""))
        if waiting and not waiting.done():
            waiting.set_result(ack.get("payload") or {})

    def _next_connection(self) -> WebSocket:
        # "payloads may be sent to any of the connections": in turn
        self.connections.append(self.connections.pop(0))
        return self.connections[-1]

    def _join(self, websocket: WebSocket) -> None:
        self.connections.append(websocket)
        self._connected.set()

    def _leave(self, websocket: WebSocket) -> None:
        if websocket in self.connections:
            self.connections.remove(websocket)
        if not self.connections:
            self._connected.clear()
