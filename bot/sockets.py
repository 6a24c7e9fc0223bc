"""Connections over which Slack sends questions, each opened again as soon as it breaks.

slack_sdk's own client of the library websocket-client sees a reset at once; its built-in client
looked after a connection every ping only, and took up to a minute. Slack may send anything over
any connection: docs.slack.dev/apis/events-api/using-socket-mode#multiple
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty
from typing import Any, Protocol

from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.adapter.socket_mode.internals import build_headers, send_response
from slack_sdk import WebClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.socket_mode.websocket_client import SocketModeClient

from bot.chatter import Lane, lane
from core import logs

PING_S = 3.0
SILENT_S = 4 * PING_S  # without a pong for so long, a connection is dead although nobody said so
THREADS = {Lane.OURS: 10, Lane.CHATTER: 2}
OPENING_S = 2.0  # for which a connection that is refreshed keeps the others waiting
PAUSES_S = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)  # before the next attempt, while none succeeds

log = logs.get(__name__)


class Hears(Protocol):
    """Bolt's app, or one that chooses among several."""

    @property
    def client(self) -> WebClient:
        """It opens the connections."""

    def dispatch(self, req: BoltRequest, /) -> BoltResponse: ...


class Sockets:
    """The connections of one app."""

    def __init__(
        self,
        app: Hears,
        app_token: str,
        connections: int,
        *,
        opened: Callable[[], None],
    ) -> None:
        """`opened` is called for each connection: what was said before it may have been missed."""
        one_at_a_time = threading.Lock()
        pools = {
            of: ThreadPoolExecutor(count, thread_name_prefix=of.value)
            for of, count in THREADS.items()
        }
        self._sockets = [
            _Socket(app, app_token, pools, one_at_a_time, opened) for _ in range(connections)
        ]

    def connect(self) -> None:
        """Open them all.

        Raises:
            SlackApiError: Slack refuses the token.
        """
        for socket in self._sockets:
            socket.connect()
            socket.wait_until_open()

    def silent_s(self) -> Sequence[float]:
        """Of each connection, the seconds since its last pong; infinite when it is not open."""
        return [socket.silent_s() for socket in self._sockets]

    def is_connected(self) -> bool:
        """Whether one connection at least has answered a ping lately."""
        return min(self.silent_s()) < SILENT_S

    def close(self) -> None:
        for socket in self._sockets:
            socket.stop()


class _Socket(SocketModeClient):
    """One connection; what it hears is sorted before it takes a thread."""

    def __init__(
        self,
        app: Hears,
        app_token: str,
        pools: dict[Lane, ThreadPoolExecutor],
        one_at_a_time: threading.Lock,
        opened: Callable[[], None],
    ) -> None:
        self._app = app
        self._opened = opened
        self._pools = pools
        self._one_at_a_time = one_at_a_time
        self._is_open = threading.Event()
        self._is_refreshing = False
        self._opened_at = 0.0
        self._opening_until = 0.0
        self._attempts = 0
        self._under: dict[Any, Any] = {}  # what lies under a session: the library forgets it
        super().__init__(
            app_token,
            web_client=app.client,
            ping_interval=PING_S,
            concurrency=1,  # our own pools do the work
            on_open_listeners=[self._on_open],
            on_close_listeners=[self._on_close],
        )

    def silent_s(self) -> float:
        session = self.current_session
        if session is None or not self._is_open.is_set():
            return float("inf")
        return time.time() - max(session.last_pong_tm, self._opened_at)

    def wait_until_open(self) -> None:
        """A little: whoever asks right after the start shall not be told that it is closed."""
        self._is_open.wait(OPENING_S)

    def stop(self) -> None:
        """Without waiting for its threads, which are daemons: the process ends."""
        self.closed = True
        self.auto_reconnect_enabled = self.default_auto_reconnect_enabled = False
        self._is_open.wait(OPENING_S)  # the library loses one that is closed while it opens
        self.disconnect()
        for session in list(self._under):
            self._on_close(session)
        runners = (self.current_session_runner, self.current_app_monitor, self.message_processor)
        for runner in runners:
            runner.event.set()

    def connect(self) -> None:
        if not self.closed:
            self._is_open.clear()
            super().connect()

    def process_message(self) -> None:
        try:
            raw = self.message_queue.get(timeout=1)
        except Empty:
            return
        message = json.loads(raw) if raw.startswith("{") else {}
        if message.get("type") == "disconnect":
            threading.Thread(target=self._refresh, name="refresh", daemon=True).start()
        elif request := SocketModeRequest.from_dict(message):
            self._take(request)

    def connect_to_new_endpoint(self, force: bool = False) -> None:
        """As often as it takes, but not in a row: Slack limits how many addresses it gives."""
        if self._is_refreshing and not force:
            return  # the old connection has closed, as it should
        self._opening_until = float("inf")
        try:
            if not force:
                time.sleep(PAUSES_S[min(self._attempts, len(PAUSES_S) - 1)])
                self._attempts += 1
            if not self.closed:
                super().connect_to_new_endpoint(force)
        finally:
            self._opening_until = time.monotonic() + OPENING_S

    def _take(self, request: SocketModeRequest) -> None:
        of = lane(request.payload)
        if of is Lane.NOBODY:
            self.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
        else:
            self._pools[of].submit(self._dispatch, request)

    def _dispatch(self, request: SocketModeRequest) -> None:
        began = time.time()
        headers = build_headers(request)
        response = self._app.dispatch(
            BoltRequest(mode="socket_mode", body=request.payload, headers=headers)
        )
        send_response(self, request, response, began)

    def _refresh(self) -> None:
        """Slack closes a connection every few hours: never two of ours at the same time."""
        with self._one_at_a_time:
            self._is_refreshing = True
            try:
                self.connect_to_new_endpoint(force=True)
                self._is_open.wait(OPENING_S)
            finally:
                self._is_refreshing = False

    def _monitor_current_session(self) -> None:
        """A peer that is gone without a word sends no pong.

        One that is just being opened is left alone: a second attempt would lose its socket.
        """
        if self.closed or time.monotonic() < self._opening_until:
            return
        if self._is_open.is_set() and self.silent_s() > SILENT_S:
            log.warning("socket.silent", seconds=round(self.silent_s()))
            self.disconnect()
        super()._monitor_current_session()  # type: ignore[no-untyped-call]

    def _on_open(self, session: Any) -> None:
        self._opened_at, self._attempts = time.time(), 0
        self._under[session] = session.sock
        self._is_open.set()
        if self.closed:
            session.close()
        else:
            self._opened()

    def _on_close(self, session: Any) -> None:
        """The library leaves a socket open whose other end has said goodbye."""
        if under := self._under.pop(session, None):
            under.shutdown()
