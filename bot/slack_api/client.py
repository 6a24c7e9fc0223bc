"""Slack's Web API client: retries after failures of Slack's, and error metrics.

A 429 is not retried here: bot.slack_api.outbox decides what waits for how long. A method that only
reads is not called again for as long as Slack's 429 has said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import HttpRequest, RetryHandler, RetryState
from slack_sdk.http_retry.builtin_handlers import (
    ConnectionErrorRetryHandler,
    ServerErrorRetryHandler,
)
from slack_sdk.web import SlackResponse

from bot import metrics
from bot.slack_api.calls import code, retry_after_s
from bot.slack_api.errors import RATE_LIMITED, TOKEN_REFUSED
from bot.slack_api.installed.workspace import THE_ONLY, Credentials, Workspace
from core.settings import Settings

READING = ("users.", "conversations.")  # limited per method and workspace, not per channel

# Of the call that this thread is making.
_MAY_REPEAT: ContextVar[Callable[[], bool]] = ContextVar("may_repeat", default=lambda: True)
# Methods that add a message: a retry may post it twice.
HASTY_S = 1.8
ADDING = ("/chat.postMessage", "/chat.startStream", "/chat.appendStream")


def client(chosen: Settings, workspace: Workspace = THE_ONLY) -> WebClient:
    """Slack's Web API for this workspace, with retries after a 5xx and a dropped connection.

    What adds a message is not retried: it may have arrived although its reply got lost.
    bot.delivery.turn_message looks for a message before it posts again.
    """
    secret = chosen.slack_bot_token
    token = secret.get_secret_value() if secret else None
    if workspace.credentials:
        web: WebClient = _RenewingClient(workspace.credentials, base_url=chosen.slack_api_url)
    else:
        web = _MeteredClient(token=token, base_url=chosen.slack_api_url)
    web.timeout = 15
    web.retry_handlers = [
        _ServerErrors(max_retry_count=2),
        _ConnectionErrors(max_retry_count=2),
    ]
    return web


def hasty(chosen: Settings, workspace: Workspace = THE_ONLY) -> WebClient:
    """For the one call that comes before an acknowledgement, views.open: once, and not for long.

    A trigger lives 3 s, as long as Slack waits for the acknowledgement.
    """
    web = client(chosen, workspace)
    web.timeout = HASTY_S  # type: ignore[assignment]  # urllib takes fractions
    web.retry_handlers = []
    return web


@contextmanager
def repeating(may_repeat: Callable[[], bool]) -> Iterator[None]:
    """Repeat a call in this block only if that may be done after the wait."""
    token = _MAY_REPEAT.set(may_repeat)
    try:
        yield
    finally:
        _MAY_REPEAT.reset(token)


class _MeteredClient(WebClient):
    """Counts errors, and asks nothing that Slack has just said it will not answer for a while."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._refused: dict[str, tuple[float, SlackResponse]] = {}  # until when, by method

    def api_call(self, api_method: str, **arguments: Any) -> SlackResponse:
        until, response = self._refused.get(api_method, (0.0, None))
        if response and time.monotonic() < until:
            raise SlackApiError("not asked: told to wait", response)  # type: ignore[no-untyped-call]
        try:
            return super().api_call(api_method, **arguments)
        except SlackApiError as error:
            metrics.ERRORS.labels(api_method, code(error)).inc()
            if code(error) == RATE_LIMITED:
                metrics.RATE_LIMITED.labels(api_method).inc()
                self._keep_silent(api_method, error)
            raise

    def _keep_silent(self, api_method: str, error: SlackApiError) -> None:
        """Writes have the outbox, which knows which channel a limit is of."""
        if api_method.startswith(READING):
            until = time.monotonic() + retry_after_s(error)
            self._refused[api_method] = (until, error.response)


class _RenewingClient(_MeteredClient):
    """One whose token may be another one with each call."""

    def __init__(self, credentials: Credentials, **more: Any) -> None:
        super().__init__(**more)
        self._credentials = credentials

    def api_call(self, api_method: str, **arguments: Any) -> SlackResponse:
        """Once more with a token that has taken the place of one that Slack does not take."""
        self.token = token = self._credentials.token()  # the same one for all threads
        try:
            return super().api_call(api_method, **arguments)
        except SlackApiError as error:
            if code(error) not in TOKEN_REFUSED:
                raise
            if not self._credentials.refused(token, code(error)):
                raise
        self.token = self._credentials.token()
        return super().api_call(api_method, **arguments)


class _IdempotentOnly(RetryHandler):
    def can_retry(self, *, request: HttpRequest, **more: Any) -> bool:
        if request.url.endswith(ADDING):
            return False
        return super().can_retry(request=request, **more)

    def prepare_for_next_attempt(self, *, state: RetryState, **more: Any) -> None:
        super().prepare_for_next_attempt(state=state, **more)
        state.next_attempt_requested = _MAY_REPEAT.get()()


class _ServerErrors(_IdempotentOnly, ServerErrorRetryHandler):
    pass


class _ConnectionErrors(_IdempotentOnly, ConnectionErrorRetryHandler):
    pass
